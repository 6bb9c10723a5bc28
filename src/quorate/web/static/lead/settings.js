// Settings of a study: pause, close, deadline, texts; and the log of who did what.

import { call, get, post } from "../api.js";
import { announce, ask, fill, h } from "../dom.js";
import { api, doing, field, KINDS, start, table, when } from "./lead.js";

const local = (time) => {
  if (!time) return "";
  const date = new Date(time);
  return new Date(date - date.getTimezoneOffset() * 60000).toISOString().slice(0, 16);
};
const base64 = (file) =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result.slice(reader.result.indexOf(",") + 1));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
/** A line of the log in a few words. */
function logged({ what, detail }) {
  const about = JSON.parse(detail || "{}");
  if (what !== "look") return what;
  if (about.what !== "plan") return `look: ${about.what}, as of event ${about.as_of}`;
  const width = typeof about.width === "number" ? `${about.width.toFixed(2)} wide, ` : "";
  return `look: declared rule, ${width}${about.stop ? "enough" : "go on"}, as of event ${about.as_of}`;
}
const WORDS = {
  open: "The study is open: judges get tasks.",
  paused: "The study is paused: no new tasks are handed out; open ones can be finished.",
  closed: "The study is closed: nothing more is taken.",
};

start(
  async (main) => {
    async function show() {
      const about = await get(api());
      const { audit } = await get(api("/audit")).catch(() => ({ audit: [] }));
      const definition = about.definition ?? about;
      const title = h("input", { value: about.title, maxlength: 300 });
      const deadline = h("input", { type: "datetime-local", value: local(about.deadline ?? definition.deadline) });
      const perTask = h("input", {
        type: "number",
        min: 1,
        max: 10000,
        value: String(definition.judges_per_task ?? ""),
      });
      const rule = definition.stopping ?? {};
      const method = h("input", { value: rule.method ?? "", placeholder: "tau_b", spellcheck: "false" });
      const number = (value, more) => h("input", { type: "number", min: 0, value: String(value ?? 0), ...more });
      const [width, least, most] = [number(rule.width, { step: "any" }), number(rule.least), number(rule.most)];
      const pages = definition.sequence?.pages ?? [];
      const ofPage = h(
        "select",
        {},
        h("option", { value: "" }, "The first that has the figure"),
        pages.map((page) => h("option", { value: page, selected: page === rule.page }, KINDS[page])),
      );
      const guidelines = h("textarea", { rows: 8, dir: "auto", value: definition.guidelines ?? "" });
      const act = async (path, words) => {
        await post(api(path));
        announce(words);
        await show();
      };
      const close = async () => {
        const sure = await ask(
          "Close the study?",
          h(
            "p",
            {},
            "Nothing more is taken from judges, not even drafts that are waiting on their devices. You can open it again.",
          ),
          [
            { value: "yes", text: "Close" },
            { value: null, text: "Cancel", main: true },
          ],
        );
        if (sure === "yes") await act("/close", "Closed.");
      };
      const save = async () => {
        const changes = {
          title: title.value.trim(),
          deadline: deadline.value ? new Date(deadline.value).toISOString() : null,
          guidelines: guidelines.value,
        };
        if (perTask.value) changes.judges_per_task = Number(perTask.value);
        await call("PATCH", api(), changes);
        announce("Stored.");
        await show();
      };
      const declare = async () => {
        const stopping = { method: method.value.trim(), width: Number(width.value), page: ofPage.value };
        await call("PATCH", api(), { stopping: { ...stopping, least: Number(least.value), most: Number(most.value) } });
        announce("Declared.");
        await show();
      };
      const file = h("input", { type: "file" });
      const imported = h("div", { role: "status" });
      const bring = async () => {
        const chosen = file.files[0];
        if (!chosen) return file.focus();
        const binary = /\.(parquet|xlsx|zip|gz)$/i.test(chosen.name);
        const answer = await post(api("/import"), {
          name: chosen.name,
          data: binary ? await base64(chosen) : await chosen.text(),
        });
        const { notes = [], ...made } = answer;
        return fill(
          imported,
          h(
            "p",
            { class: "notice" },
            "Added: ",
            Object.entries(made)
              .map(([what, n]) => `${n} ${what}`)
              .join(", "),
            ". ",
            notes.join(" "),
          ),
        );
      };
      fill(
        main,
        h("h1", {}, "Settings"),
        h(
          "section",
          { class: "panel" },
          h("h2", {}, "State"),
          h("p", {}, WORDS[about.state] ?? about.state),
          h(
            "p",
            { class: "buttons" },
            about.state === "open" ? doing("Pause", () => act("/pause", "Paused.")) : null,
            about.state === "paused" ? doing("Go on", () => act("/resume", "Open again."), { class: "main" }) : null,
            about.state === "closed"
              ? doing("Open again", () => act("/reopen", "Open again."), { class: "main" })
              : doing("Close", close, { class: "danger" }),
          ),
        ),
        h(
          "section",
          { class: "panel" },
          h("h2", {}, "Texts and limits"),
          field("Title", title),
          h(
            "div",
            { class: "fields" },
            field("Open until", deadline, "Your local time. Empty: no deadline."),
            field("Judges per task", perTask),
          ),
          field("Guidelines, in Markdown", guidelines, "A change makes a new version; the versions before are kept."),
          h("p", { class: "buttons" }, doing("Store", save, { class: "main" })),
        ),
        h(
          "section",
          { class: "panel" },
          h("h2", {}, "When is it enough?"),
          h(
            "p",
            { class: "soft" },
            "A rule declared before the first judgment: tasks whose verdict hangs on one judge get more judges, and of votes the pairs that tell most are asked about, until the figure's interval is narrow enough. The dashboard shows where it stands; every look is logged.",
          ),
          h(
            "div",
            { class: "fields" },
            field("Figure", method, "Its name, such as tau_b, alpha or bradley_terry. Empty: no rule."),
            pages.length > 1 ? field("Of the page", ofPage) : null,
            field("Interval no wider than", width),
            field("Judges per task, at least", least),
            field("At most", most, "0: no limit."),
          ),
          h("p", { class: "buttons" }, doing("Declare", declare)),
        ),
        h(
          "section",
          { class: "panel" },
          h("h2", {}, "Judgments made elsewhere"),
          field("File", file, "Any format that Quorate reads. Their judges join the panel, marked as imported."),
          imported,
          h("p", { class: "buttons" }, doing("Add them", bring)),
        ),
        audit?.length
          ? h(
              "section",
              { class: "panel" },
              h("h2", {}, "Log"),
              table(
                [
                  ["When", (row) => when(row.time)],
                  ["Who", (row) => row.who],
                  ["What", logged],
                ],
                audit.slice(0, 100),
                "Log",
              ),
            )
          : null,
      );
    }
    await show();
  },
  { wide: false },
);
