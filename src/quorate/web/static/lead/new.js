// A new study on one page: items, what judges do with them, how many judges, guidelines; then the links.

import { post, root } from "../api.js";
import { announce, count, fill, h } from "../dom.js";
import { doing, field, problem, start } from "./lead.js";
import { showLinks } from "./links.js";

const KINDS = [
  ["order", "Order", "Judges put the items of a task in order, best first."],
  ["group", "Group", "Judges put together what belongs together."],
  ["score", "Score", "Judges give each item a score on one or more scales."],
  ["vote", "Vote", "Judges see two items at a time and say which is better."],
];
const EXAMPLES = { csv: "task,text,system\nquestion 1,First answer,model-a\nquestion 1,Second answer,model-b", jsonl: '{"task": "question 1", "text": "First answer"}', lines: "First item\nSecond item" };

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
    const what = { csv: `A table with the columns ${text.value.trimStart().split("\n", 1)[0].trim()}; ${count(Math.max(0, lines - 1), "line")} below.`, jsonl: `JSON Lines: ${count(lines, "item")}.`, lines: `One item per line: ${count(lines, "item")}, all in one task.` }[format];
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
    h("p", { class: "soft" }, "A CSV file or JSON Lines with the columns ", h("code", {}, "text"), " and, if you like, ", h("code", {}, "task"), " (items judged together), ", h("code", {}, "item"), " (a name of your own), ", h("code", {}, "source"), ", ", h("code", {}, "date"), " and ", h("code", {}, "system"), " (who made it; judges never see it). Or one item per line. For practice or check tasks add ", h("code", {}, "role"), " (training or gold) and ", h("code", {}, "answer"), "."),
    field("From a file", file),
    field("Or paste here", text),
    seen,
  );
  return { element, value: () => ({ text: text.value, format: formatOf(text.value) }), empty: () => !text.value.trim() };
}

const check = (label, on, name) => h("label", { class: "check" }, h("input", { type: "checkbox", checked: on, name }), label);
const number = (value, min, max) => h("input", { type: "number", value: String(value), min, max, step: 1 });
const select = (options, value) => h("select", {}, options.map(([name, text]) => h("option", { value: name, selected: name === value }, text)));

/** The settings of each kind of page: an element, and what it says. */
const SETTINGS = {
  order() {
    const top = number(0, 0, 10000);
    const ties = check("Ties are allowed", true);
    const cannot = check("“Cannot place” is allowed", true);
    return { element: [ties, cannot, field("Only the best …", top, "0 asks for a complete order.")], value: () => ({ ties: ties.firstChild.checked, cannot_place: cannot.firstChild.checked, top_k: Number(top.value) || 0 }) };
  },
  group() {
    const sort = select([["open", "Open: judges make and name the groups"], ["closed", "Closed: the groups are given"], ["hybrid", "Hybrid: some are given, judges may add others"]], "open");
    const names = h("textarea", { rows: 4 });
    const named = field("Names of the groups, one per line", names);
    const unsure = check("A pile for “unsure”", true);
    const out = check("A pile for “left out”", true);
    const show = () => (named.hidden = sort.value === "open");
    sort.addEventListener("change", show);
    show();
    return { element: [field("Sort", sort), named, unsure, out], value: () => ({ sort: sort.value, names: sort.value === "open" ? [] : names.value.split("\n").map((name) => name.trim()).filter(Boolean), unsure: unsure.firstChild.checked, left_out: out.firstChild.checked }) };
  },
  score() {
    const layout = select([["one", "One item at a time"], ["side", "Side by side"]], "one");
    const rows = h("div", {});
    const criteria = [];
    const add = (name = "") => {
      const parts = { name: h("input", { value: name }), low: number(1, -1000, 1000), high: number(5, -1000, 1000), worst: h("input", {}), best: h("input", {}) };
      const n = criteria.push(parts);
      const labels = { name: "Name", low: "From", high: "To", worst: "What the lowest means", best: "What the highest means" };
      rows.append(h("fieldset", {}, h("legend", {}, `Criterion ${n}`), h("div", { class: "fields" }, Object.entries(labels).map(([part, label]) => field(label, parts[part])))));
    };
    add("Quality");
    const value = () => ({
      layout: layout.value,
      criteria: criteria
        .filter(({ name }) => name.value.trim())
        .map(({ name, low, high, worst, best }, n) => {
          const anchors = Object.fromEntries([[low.value, worst.value.trim()], [high.value, best.value.trim()]].filter(([, words]) => words));
          return { id: name.value.trim().toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-") || `criterion-${n + 1}`, name: name.value.trim(), low: Number(low.value), high: Number(high.value), anchors };
        }),
    });
    return { element: [field("Layout", layout), rows, h("button", { type: "button", onclick: () => add() }, "Add a criterion")], value };
  },
  vote() {
    const ties = check("“Equally good” is allowed", true);
    const bad = check("“Both are bad” is allowed", true);
    const pairs = number(0, 0, 100000);
    return { element: [ties, bad, field("Pairs per task", pairs, "0 asks for every pair.")], value: () => ({ ties: ties.firstChild.checked, both_bad: bad.firstChild.checked, pairs: Number(pairs.value) || 0 }) };
  },
};

const RULES = {
  order: [["max_tie", "At most so many items share a place", 3], ["no_ties_of_same_source", "No ties between items of one source"]],
  group: [["max_groups", "At most so many groups", 10], ["min_group", "At least so many items in a group", 2], ["max_group", "At most so many items in a group", 10], ["one_per_source", "No two items of one source in a group"], ["named_groups", "Every group has a name"]],
};

/** Rules that pages explain beside the item while a judge works. */
function rulesPart(kind) {
  const rows = (RULES[kind] ?? []).map(([rule, words, n]) => {
    const on = h("input", { type: "checkbox" });
    const limit = n ? h("input", { type: "number", class: "small-number", min: 1, max: 10000, value: String(n), "aria-label": `${words}: how many` }) : null;
    return { rule, on, limit, element: h("div", { class: "check" }, h("label", {}, on, words), " ", limit) };
  });
  const element = rows.length ? h("fieldset", {}, h("legend", {}, "Rules explained while judging"), h("p", { class: "soft small" }, "A judge who breaks one sees it beside the item, and can go on."), rows.map((row) => row.element)) : null;
  return { element, value: () => rows.filter(({ on }) => on.checked).map(({ rule, limit }) => ({ rule, ...(limit ? { n: Number(limit.value) } : {}) })) };
}

function kindPart() {
  const box = h("div", {});
  let settings;
  let rules;
  let kind = "order";
  const prompt = h("input", { maxlength: 1000, placeholder: "Which answer helps most?" });
  const show = () => {
    settings = SETTINGS[kind]();
    rules = rulesPart(kind);
    fill(box, settings.element, rules.element);
  };
  const radios = KINDS.map(([name, title, words]) => {
    const radio = h("input", { type: "radio", name: "kind", value: name, checked: name === kind, onchange: () => ((kind = name), show()) });
    return h("label", { class: "check" }, radio, h("b", {}, title), h("span", { class: "soft" }, ` ${words}`));
  });
  show();
  const element = h("section", { class: "panel" }, h("h2", {}, "2. What judges do"), h("fieldset", {}, h("legend", {}, "Kind of page"), radios), field("Question above each task", prompt, "Left empty, a plain sentence stands there."), box);
  return { element, value: () => ({ kind, rules: rules.value(), settings: { ...settings.value(), ...(prompt.value.trim() ? { prompt: prompt.value.trim() } : {}) } }) };
}

start(async (main) => {
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
    entry: [["prolific", prolific], ["worker", worker]].filter(([, box]) => box.firstChild.checked).map(([name]) => name),
    guidelines: guidelines.value,
    consent: consent.value,
    ...(deadline.value ? { deadline: new Date(deadline.value).toISOString() } : {}),
    ...(code.value.trim() ? { completion_code: code.value.trim() } : {}),
  });

  /** Three steps, each done once: what went well is not repeated when a later one has to be mended. */
  async function create() {
    fill(said);
    if (!title.value.trim()) return title.focus(), title.reportValidity();
    if (items.empty()) return fill(said, problem({ message: "There are no items yet.", hint: "Choose a file, or paste them." }));
    made ??= { id: (await post("/api/studies", definition())).id, items: false };
    if (!made.items) made.items = await post(`/api/studies/${made.id}/items`, items.value());
    const judges = names.value.split("\n").map((name) => name.trim()).filter(Boolean);
    const links = judges.length ? (await post(`/api/studies/${made.id}/invite`, { judges })).links : [];
    fill(
      main,
      h("h1", { tabindex: -1 }, `${title.value.trim()} is ready`),
      h("p", {}, `${count(made.items.items, "item")} in ${count(made.items.tasks, "task")}. `, (made.items.notes ?? []).join(" ")),
      links.length ? showLinks(links) : h("p", {}, "No judges are invited yet."),
      h("p", { class: "buttons" }, h("a", { class: "button main", href: `${root}/lead/s/${made.id}` }, "Go to the dashboard"), h("a", { class: "button", href: `${root}/lead/s/${made.id}/invite` }, "Invite judges")),
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
    h("section", { class: "panel" }, h("h2", {}, "3. Judges"), field("Names, one per line", names, "A personal link is made for each. Names can be pseudonyms; you can invite more later."), h("div", { class: "fields" }, field("Judges per task", perTask), field("Tasks per judge", perJudge, "0: as many as there are."), field("Open until", deadline, "Your local time. Empty: no deadline."), field("Completion code", code, "Shown to a judge who has finished everything.")), h("details", {}, h("summary", {}, "More"), h("div", { class: "fields" }, field("Hours for a task", lease, "Then it is offered to somebody else."), field("Repeated tasks per judge", repeats, "Planted to see whether a judge agrees with themselves."), field("Attempts at a practice task", attempts)), prolific, worker)),
    h("section", { class: "panel" }, h("h2", {}, "4. Guidelines"), field("Guidelines for judges, in Markdown", guidelines), field("Consent, in Markdown", consent, "If there is one, judges agree to it before they see anything.")),
    said,
    h("p", { class: "buttons" }, doing("Create the study", create, { class: "main" }), h("a", { class: "button", href: `${root}/lead` }, "Cancel")),
  );
}, { wide: false });
