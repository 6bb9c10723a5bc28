// The dashboard: counts and agreement as judgments come in. Judges never see any of this.

import { get, root } from "../api.js";
import { count, fill, h } from "../dom.js";
import { ago, api, doing, problem, start, study, table, when } from "./lead.js";

const COUNTS = [
  ["submitted", "submitted"],
  ["active", "in progress"],
  ["offered", "offered"],
  ["expired", "expired"],
  ["excluded", "excluded"],
];
const number = (value) =>
  value === null || value === undefined ? "–" : typeof value === "number" ? value.toFixed(2) : String(value);
const none = (text) => h("p", { class: "soft" }, text);
const panel = (title, content, wide) =>
  h("section", { class: wide ? "panel wide" : "panel" }, h("h2", {}, title), content);

function figures({ counts, by_task = [], by_judge = [] }) {
  const complete = by_task.filter((task) => task.submitted >= task.wanted).length;
  const shown = [
    [`${complete} of ${by_task.length}`, "tasks complete"],
    [by_judge.length, by_judge.length === 1 ? "judge" : "judges"],
    ...COUNTS.filter(([name]) => counts[name] || name === "submitted" || name === "active").map(([name, words]) => [
      counts[name] ?? 0,
      words,
    ]),
  ];
  return h(
    "div",
    { class: "figures" },
    shown.map(([figure, words]) => h("div", { class: "figure" }, h("b", {}, String(figure)), h("span", {}, words))),
  );
}

/** What a measure measures, without its name over again. */
function about({ title, words, summary = "" }) {
  const text = words ?? summary;
  return title && text.startsWith(`${title}: `)
    ? text[title.length + 2].toUpperCase() + text.slice(title.length + 3)
    : text;
}

const FIRST = 3; // measures shown at once

/** Each measure with its value and what it measures; the first few at once. */
function agreement(rows) {
  if (!rows?.length) return none("Agreement appears once two judges have submitted the same task.");
  const line = (row) =>
    h(
      "li",
      { class: "measure" },
      h(
        "span",
        {},
        h("b", {}, row.title ?? row.method),
        about(row) ? h("span", { class: "soft small words" }, about(row)) : null,
      ),
      h("b", { class: "value" }, row.text || number(row.value)),
    );
  const list = (some) => h("ul", { class: "plain" }, some.map(line));
  return [
    list(rows.slice(0, FIRST)),
    rows.length > FIRST
      ? h(
          "details",
          {},
          h("summary", { class: "small" }, `${rows.length - FIRST} more measures`),
          list(rows.slice(FIRST)),
        )
      : null,
  ];
}

const name = (item) => (typeof item === "string" ? item : (item.text ?? item.name));

function consensus(rows) {
  if (!rows?.length) return none("No consensus yet.");
  const scores = (list) => {
    const criteria = Object.keys(list[0]?.scores ?? {});
    return table(
      [
        ["Item", (row) => h("span", { dir: "auto" }, name(row))],
        ...criteria.map((criterion) => [criterion, (row) => row.scores[criterion] ?? "–", true]),
      ],
      list,
      "Scores",
    );
  };
  const one = ({ order, groups, rows: list, text }) => [
    order
      ? h(
          "ol",
          {},
          order.map((place) => h("li", { dir: "auto" }, [place].flat().map(name).join(" = "))),
        )
      : null,
    groups
      ? h(
          "ul",
          {},
          groups.map((group) => h("li", { dir: "auto" }, group.map(name).join("; "))),
        )
      : null,
    list ? scores(list) : null,
    text && !list ? h("p", {}, text) : null,
  ];
  return rows.map((row, n) =>
    h("details", { open: n === 0 }, h("summary", { dir: "auto" }, row.title ?? row.task), one(row)),
  );
}

const said = (rows, empty) =>
  rows?.length
    ? h(
        "ul",
        { class: "plain" },
        rows.map((row) =>
          h(
            "li",
            {},
            row.judge && !row.text?.includes(row.judge) ? h("b", { dir: "auto" }, `${row.judge}: `) : null,
            row.text,
          ),
        ),
      )
    : none(empty);

/** Tasks by disagreement; words only where they say more than the value. */
function hard(rows) {
  if (!rows?.length) return none("Not known yet.");
  return h(
    "ul",
    { class: "plain" },
    rows
      .slice(0, 8)
      .map((row) =>
        h(
          "li",
          { class: "measure" },
          h(
            "span",
            { dir: "auto" },
            row.title ?? row.task,
            row.text && Number.isNaN(Number(row.text)) ? h("span", { class: "soft small words" }, row.text) : null,
          ),
          h("b", { class: "value" }, number(row.value)),
        ),
      ),
  );
}

function tasks(rows) {
  const share = (row) =>
    h("progress", {
      class: "meter",
      max: row.wanted || 1,
      value: Math.min(row.submitted, row.wanted),
      "aria-label": `${row.submitted} of ${row.wanted}`,
    });
  return table(
    [
      ["Task", (row) => h("span", { dir: "auto" }, row.title)],
      ["Submitted", (row) => `${row.submitted} of ${row.wanted}`, true],
      ["In progress", (row) => String(row.active ?? 0), true],
      ["", share],
    ],
    rows,
    "Tasks",
  );
}

function judges(rows) {
  return table(
    [
      ["Judge", (row) => h("span", { dir: "auto" }, row.name)],
      ["Submitted", (row) => String(row.submitted ?? 0), true],
      ["In progress", (row) => String(row.active ?? 0), true],
      [
        "Minutes",
        (row) =>
          number(row.minutes === undefined || row.minutes === null ? null : Math.round(row.minutes)).replace(".00", ""),
        true,
      ],
      ["Last seen", (row) => ago(row.last_seen)],
    ],
    rows,
    "Judges",
  );
}

start(async (main) => {
  const about = await get(api());
  const title = about.title ?? about.study?.title;
  const stamp = h("p", { class: "soft small", role: "status" });
  const numbers = h("div", {});
  const board = h("div", { class: "dash" });
  const agreed = h("div", {});
  const live = h("span", { class: "tag" }, "connecting");
  let latest = null;

  async function intervals() {
    fill(agreed, none("Resampling; this can take a while. Judging goes on meanwhile."));
    try {
      const answer = await get(api("/intervals"));
      fill(
        agreed,
        agreement(answer.agreement),
        h("p", { class: "soft small" }, `Intervals as of event ${answer.as_of}.`),
      );
    } catch (error) {
      fill(agreed, agreement(latest?.agreement), problem(error));
    }
  }

  function draw(progress) {
    latest = progress;
    const { by_task = [], by_judge = [], flags, hardest, consistency, gold, sentences, notes = [] } = progress;
    fill(numbers, figures(progress));
    fill(agreed, agreement(progress.agreement));
    stamp.textContent = `As of event ${progress.as_of}, ${when(Date.now())}.${progress.looks ? ` Looked at ${count(progress.looks, "time")} so far; every look is logged.` : ""}`;
    const more = progress.agreement?.length
      ? h("p", { class: "buttons" }, doing("Compute intervals", intervals))
      : null;
    fill(
      board,
      sentences?.length ? panel("In short", h("p", {}, sentences.join(" ")), true) : null,
      h("div", {}, panel("Agreement", [agreed, more]), panel("Consensus so far", consensus(progress.consensus))),
      h(
        "div",
        {},
        panel("Who is off, and why", said(flags, "Nobody stands out.")),
        panel("Hardest tasks", hard(hardest)),
        consistency?.length ? panel("The same judge twice", said(consistency, "")) : null,
        gold?.length ? panel("Known answers", said(gold, "")) : null,
        notes.length
          ? panel(
              "Notes from judges",
              h(
                "ul",
                { class: "plain" },
                notes.map((note) =>
                  h(
                    "li",
                    {},
                    h("b", { dir: "auto" }, note.judge),
                    h("span", { class: "soft small" }, ` ${when(note.time)}`),
                    h("div", { dir: "auto" }, note.text),
                  ),
                ),
              ),
            )
          : null,
      ),
      panel("Tasks", by_task.length ? tasks(by_task) : none("There are no items yet."), true),
      panel(
        "Judges",
        by_judge.length
          ? judges(by_judge)
          : h(
              "p",
              {},
              "Nobody has been invited yet. ",
              h("a", { href: `${root}/lead/s/${study}/invite` }, "Invite judges"),
            ),
        true,
      ),
    );
  }

  let waiting = null;
  let asking = false;
  async function refresh() {
    if (asking) return void (waiting ??= setTimeout(() => ((waiting = null), refresh()), 1000));
    asking = true;
    try {
      draw(await get(api("/progress")));
    } finally {
      asking = false;
    }
    return undefined;
  }

  fill(
    main,
    h(
      "div",
      { class: "head" },
      h("h1", { dir: "auto" }, title),
      live,
      h("a", { class: "button", href: `${root}${api("/export")}?format=csv` }, "Export CSV"),
    ),
    stamp,
    numbers,
    board,
  );
  await refresh();

  const source = new EventSource(root + api("/events"));
  const mark = (text, look) => ((live.textContent = text), (live.className = `tag ${look}`));
  const news = () =>
    (waiting ??= setTimeout(() => ((waiting = null), refresh().catch(() => mark("not live", "out"))), 700));
  source.onopen = () => mark("live", "done");
  source.onerror = () => mark("reconnecting", "out");
  source.addEventListener("progress", news);
  addEventListener("pagehide", () => source.close());
});
