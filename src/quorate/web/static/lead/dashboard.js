// The dashboard: counts and agreement as judgments come in. Judges never see any of this.

import { get, root } from "../api.js";
import { count, fill, h } from "../dom.js";
import { ago, api, doing, KINDS, start, study, table, when } from "./lead.js";
import { plan } from "./plan.js";
import { screen } from "./screens.js";

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
/** The kind of a row, where a study has several. */
const kindOf = (row, several) => (several ? h("span", { class: "tag" }, KINDS[row.kind]) : null);
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

const LONGEST = 160; // letters of an item
/** An item by its text in one line. */
function name(item) {
  const text = (typeof item === "string" ? item : (item.text ?? item.name)).replace(/\s*\n\s*/g, " – ");
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

function consensus(rows, several) {
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
          groups.map((group) =>
            h(
              "li",
              { class: "together" },
              group.map((item) => h("div", { dir: "auto" }, name(item))),
            ),
          ),
        )
      : null,
    list ? scores(list) : null,
    text && !list ? h("p", {}, text) : null,
  ];
  return rows.map((row, n) =>
    h(
      "details",
      { open: n === 0 },
      h("summary", { dir: "auto" }, row.title ?? row.task, " ", kindOf(row, several)),
      one(row),
    ),
  );
}

const said = (rows, empty, several) =>
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
            " ",
            row.kind ? kindOf(row, several) : null,
          ),
        ),
      )
    : none(empty);

/** Tasks by disagreement; words only where they say more than the value. */
function hard(rows, several) {
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
            " ",
            kindOf(row, several),
            row.text && !/^(agreement )?-?[\d.]+$/.test(row.text)
              ? h("span", { class: "soft small words" }, row.text)
              : null,
          ),
          h("b", { class: "value" }, number(row.value)),
        ),
      ),
  );
}

function tasks(rows, several) {
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
      ...(several ? [["Page", (row) => KINDS[row.kind]]] : []),
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
  const words = h("div", { class: "dash" });
  const live = h("span", { class: "tag" }, "connecting");
  const several = (about.kinds ?? []).length > 1;
  let latest = null;
  let wide = null; // with intervals, as of an event

  async function intervals() {
    wide = await get(api("/intervals"));
    speak();
  }

  /** What can be said: with intervals while nothing has come in since they were computed. */
  function speak() {
    const { screens, agreement, as_of: now } = wide?.as_of === latest.as_of ? wide : latest;
    const stale = wide && wide.as_of !== latest.as_of;
    const last = stale ? `Intervals were computed as of event ${wide.as_of}; more has come in since.` : "";
    fill(
      words,
      screens.length
        ? screens.map((one) => screen(one, agreement, several))
        : h("section", { class: "panel wide" }, none("Agreement appears once judges have submitted something.")),
      screens.length
        ? h(
            "p",
            { class: "buttons wide" },
            h(
              "span",
              { class: "soft small" },
              wide?.as_of === now ? `Intervals as of event ${now}.` : last || "So far without intervals.",
            ),
            wide?.as_of === now ? null : doing("How sure is it?", intervals),
          )
        : null,
    );
  }

  function draw(progress) {
    latest = progress;
    const { by_task = [], by_judge = [], flags, hardest, consistency, gold, notes = [] } = progress;
    fill(numbers, figures(progress));
    speak();
    stamp.textContent = `As of event ${progress.as_of}, ${when(Date.now())}.${progress.looks ? ` Looked at ${count(progress.looks, "time")} so far; every look is logged.` : ""}`;
    fill(
      board,
      progress.plan ? panel("When is it enough?", plan(progress.plan, refresh), true) : null,
      h("div", {}, panel("Consensus so far", consensus(progress.consensus, several))),
      h(
        "div",
        {},
        panel("Who is off, and why", said(flags, "Nobody stands out.", several)),
        panel("Hardest tasks", hard(hardest, several)),
        consistency?.length ? panel("The same judge twice", said(consistency, "", several)) : null,
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
      panel("Tasks", by_task.length ? tasks(by_task, several) : none("There are no items yet."), true),
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
      h("a", { class: "button", href: `${root}/lead/s/${study}/freeze` }, "Export or freeze"),
    ),
    stamp,
    numbers,
    words,
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
