// A new study on one page: items, what judges do with them, how many judges, guidelines; then the links.

import { post, root } from "../api.js";
import { announce, count, fill, h } from "../dom.js";
import { check, kindPart, number } from "./kinds.js";
import { doing, field, problem, start } from "./lead.js";
import { showLinks } from "./links.js";

const EXAMPLES = {
  csv: "task,text,system\nquestion 1,First answer,model-a\nquestion 1,Second answer,model-b",
  jsonl: '{"task": "question 1", "text": "First answer"}',
  lines: "First item\nSecond item",
};

/** What a text looks like: a table with a header, JSON Lines, or one item per line. */
export function formatOf(text) {
  const first = text.trimStart().split("\n", 1)[0] ?? "";
  if (first.startsWith("{")) return "jsonl";
  const columns = first.split(/[,;\t]/).map((name) => name.trim().replaceAll('"', "").toLowerCase());
  return columns.some((name) => ["text", "item", "task"].includes(name)) ? "csv" : "lines";
}

function itemsPart() {
  const text = h("textarea", { rows: 8, spellcheck: "false", placeholder: EXAMPLES.csv });
  const file = h("input", { type: "file", accept: ".csv,.jsonl,.txt,.tsv" });
  const seen = h("p", { class: "soft small", role: "status" });
  const look = () => {
    const format = formatOf(text.value);
    const lines = text.value.split("\n").filter((line) => line.trim()).length;
    const what = {
      csv: `A table with the columns ${text.value.trimStart().split("\n", 1)[0].trim()}; ${count(Math.max(0, lines - 1), "line")} below.`,
      jsonl: `JSON Lines: ${count(lines, "item")}.`,
      lines: `One item per line: ${count(lines, "item")}, all in one task.`,
    }[format];
    seen.textContent = text.value.trim() ? what : "";
  };
  text.addEventListener("input", look);
  file.addEventListener("change", async () => {
    if (!file.files[0]) return;
    text.value = await file.files[0].text();
    look();
  });
  const element = h(
    "section",
    { class: "panel" },
    h("h2", {}, "1. Items"),
    h(
      "p",
      { class: "soft" },
      "A CSV file or JSON Lines with the columns ",
      h("code", {}, "text"),
      " and, if you like, ",
      h("code", {}, "task"),
      " (items judged together), ",
      h("code", {}, "item"),
      " (a name of your own), ",
      h("code", {}, "source"),
      ", ",
      h("code", {}, "date"),
      " and ",
      h("code", {}, "system"),
      " (who made it; judges never see it). Or one item per line. For practice or check tasks add ",
      h("code", {}, "role"),
      " (training or gold) and ",
      h("code", {}, "answer"),
      "; with several kinds of page ",
      h("code", {}, "answer_order"),
      ", ",
      h("code", {}, "answer_score"),
      " and so on.",
    ),
    field("From a file", file),
    field("Or paste here", text),
    seen,
  );
  return {
    element,
    value: () => ({ text: text.value, format: formatOf(text.value) }),
    empty: () => !text.value.trim(),
  };
}

start(
  async (main) => {
    const title = h("input", { required: true, maxlength: 300 });
    const items = itemsPart();
    const kind = kindPart();
    const perTask = number(3, 1, 10000);
    const perJudge = number(0, 0, 100000);
    const deadline = h("input", { type: "datetime-local" });
    const code = h("input", { maxlength: 200 });
    const lease = number(24, 1, 8760);
    const repeats = number(0, 0, 1000);
    const attempts = number(3, 1, 100);
    const prolific = check("Judges may come from Prolific", false);
    const worker = check("Judges may come from MTurk (workerId)", false);
    const guidelines = h("textarea", { rows: 8, dir: "auto" });
    const consent = h("textarea", { rows: 4, dir: "auto" });
    const names = h("textarea", { rows: 4, dir: "auto", placeholder: "Amy\nBob\nCleo" });
    const said = h("div", {});
    let made = null;

    const definition = () => ({
      title: title.value.trim(),
      ...kind.value(),
      judges_per_task: Number(perTask.value) || 3,
      tasks_per_judge: Number(perJudge.value) || 0,
      lease_minutes: 60 * (Number(lease.value) || 24),
      repeats: { count: Number(repeats.value) || 0 },
      training: { attempts: Number(attempts.value) || 3 },
      entry: [
        ["prolific", prolific],
        ["worker", worker],
      ]
        .filter(([, box]) => box.firstChild.checked)
        .map(([name]) => name),
      guidelines: guidelines.value,
      consent: consent.value,
      ...(deadline.value ? { deadline: new Date(deadline.value).toISOString() } : {}),
      ...(code.value.trim() ? { completion_code: code.value.trim() } : {}),
    });

    /** Three steps, each done once: what went well is not repeated when a later one has to be mended. */
    async function create() {
      fill(said);
      if (!title.value.trim()) return (title.focus(), title.reportValidity());
      if (items.empty())
        return fill(said, problem({ message: "There are no items yet.", hint: "Choose a file, or paste them." }));
      made ??= { id: (await post("/api/studies", definition())).id, items: false };
      if (!made.items) made.items = await post(`/api/studies/${made.id}/items`, items.value());
      const judges = names.value
        .split("\n")
        .map((name) => name.trim())
        .filter(Boolean);
      const links = judges.length ? (await post(`/api/studies/${made.id}/invite`, { judges })).links : [];
      fill(
        main,
        h("h1", { tabindex: -1 }, `${title.value.trim()} is ready`),
        h(
          "p",
          {},
          `${count(made.items.items, "item")} in ${count(made.items.tasks, "task")}. `,
          (made.items.notes ?? []).join(" "),
        ),
        links.length ? showLinks(links) : h("p", {}, "No judges are invited yet."),
        h(
          "p",
          { class: "buttons" },
          h("a", { class: "button main", href: `${root}/lead/s/${made.id}` }, "Go to the dashboard"),
          h("a", { class: "button", href: `${root}/lead/s/${made.id}/invite` }, "Invite judges"),
        ),
      );
      main.querySelector("h1").focus();
      announce("The study is ready.");
      return undefined;
    }

    fill(
      main,
      h("h1", {}, "New study"),
      field("Title", title, "Judges see it."),
      items.element,
      kind.element,
      h(
        "section",
        { class: "panel" },
        h("h2", {}, "3. Judges"),
        field(
          "Names, one per line",
          names,
          "A personal link is made for each. Names can be pseudonyms; you can invite more later.",
        ),
        h(
          "div",
          { class: "fields" },
          field("Judges per task", perTask),
          field("Tasks per judge", perJudge, "0: as many as there are."),
          field("Open until", deadline, "Your local time. Empty: no deadline."),
          field("Completion code", code, "Shown to a judge who has finished everything."),
        ),
        h(
          "details",
          {},
          h("summary", {}, "More"),
          h(
            "div",
            { class: "fields" },
            field("Hours for a task", lease, "Then it is offered to somebody else."),
            field("Repeated tasks per judge", repeats, "Planted to see whether a judge agrees with themselves."),
            field("Attempts at a practice task", attempts),
          ),
          prolific,
          worker,
        ),
      ),
      h(
        "section",
        { class: "panel" },
        h("h2", {}, "4. Guidelines"),
        field("Guidelines for judges, in Markdown", guidelines),
        field("Consent, in Markdown", consent, "If there is one, judges agree to it before they see anything."),
      ),
      said,
      h(
        "p",
        { class: "buttons" },
        doing("Create the study", create, { class: "main" }),
        h("a", { class: "button", href: `${root}/lead` }, "Cancel"),
      ),
    );
  },
  { wide: false },
);
