// The part of a new study that says what judges do: the kind of page, its settings, and rules explained while judging.

import { announce, fill, h } from "../dom.js";
import { field } from "./lead.js";

const KINDS = [
  ["order", "Order", "Judges put the items of a task in order, best first."],
  ["group", "Group", "Judges put together what belongs together."],
  ["score", "Score", "Judges give each item a score on one or more scales."],
  ["vote", "Vote", "Judges see two items at a time and say which is better."],
];
export const check = (label, on, name) =>
  h("label", { class: "check" }, h("input", { type: "checkbox", checked: on, name }), label);
export const number = (value, min, max) => h("input", { type: "number", value: String(value), min, max, step: 1 });
const select = (options, value) =>
  h(
    "select",
    {},
    options.map(([name, text]) => h("option", { value: name, selected: name === value }, text)),
  );

/** The settings of each kind of page: an element, and what it says. */
const SETTINGS = {
  order() {
    const top = number(0, 0, 10000);
    const ties = check("Ties are allowed", true);
    const cannot = check("“Cannot place” is allowed", true);
    return {
      element: [ties, cannot, field("Only the best …", top, "0 asks for a complete order.")],
      value: () => ({
        ties: ties.firstChild.checked,
        cannot_place: cannot.firstChild.checked,
        top_k: Number(top.value) || 0,
      }),
    };
  },
  group() {
    const sort = select(
      [
        ["open", "Open: judges make and name the groups"],
        ["closed", "Closed: the groups are given"],
        ["hybrid", "Hybrid: some are given, judges may add others"],
      ],
      "open",
    );
    const names = h("textarea", { rows: 4 });
    const named = field("Names of the groups, one per line", names);
    const unsure = check("A pile for “unsure”", true);
    const out = check("A pile for “left out”", true);
    const show = () => (named.hidden = sort.value === "open");
    sort.addEventListener("change", show);
    show();
    return {
      element: [field("Sort", sort), named, unsure, out],
      value: () => ({
        sort: sort.value,
        names:
          sort.value === "open"
            ? []
            : names.value
                .split("\n")
                .map((name) => name.trim())
                .filter(Boolean),
        unsure: unsure.firstChild.checked,
        left_out: out.firstChild.checked,
      }),
    };
  },
  score() {
    const layout = select(
      [
        ["one", "One item at a time"],
        ["side", "Side by side"],
      ],
      "one",
    );
    const rows = h("div", {});
    const criteria = [];
    const add = (name = "") => {
      const parts = {
        name: h("input", { value: name }),
        low: number(1, -1000, 1000),
        high: number(5, -1000, 1000),
        worst: h("input", {}),
        best: h("input", {}),
      };
      const n = criteria.push(parts);
      const labels = {
        name: "Name",
        low: "From",
        high: "To",
        worst: "What the lowest means",
        best: "What the highest means",
      };
      rows.append(
        h(
          "fieldset",
          {},
          h("legend", {}, `Criterion ${n}`),
          h(
            "div",
            { class: "fields" },
            Object.entries(labels).map(([part, label]) => field(label, parts[part])),
          ),
        ),
      );
    };
    add("Quality");
    const value = () => ({
      layout: layout.value,
      criteria: criteria
        .filter(({ name }) => name.value.trim())
        .map(({ name, low, high, worst, best }, n) => {
          const anchors = Object.fromEntries(
            [
              [low.value, worst.value.trim()],
              [high.value, best.value.trim()],
            ].filter(([, words]) => words),
          );
          return {
            id:
              name.value
                .trim()
                .toLowerCase()
                .replace(/[^\p{L}\p{N}]+/gu, "-") || `criterion-${n + 1}`,
            name: name.value.trim(),
            low: Number(low.value),
            high: Number(high.value),
            anchors,
          };
        }),
    });
    return {
      element: [
        field("Layout", layout),
        rows,
        h("button", { type: "button", onclick: () => add() }, "Add a criterion"),
      ],
      value,
    };
  },
  vote() {
    const ties = check("“Equally good” is allowed", true);
    const bad = check("“Both are bad” is allowed", true);
    const pairs = number(0, 0, 100000);
    return {
      element: [ties, bad, field("Pairs per task", pairs, "0 asks for every pair.")],
      value: () => ({
        ties: ties.firstChild.checked,
        both_bad: bad.firstChild.checked,
        pairs: Number(pairs.value) || 0,
      }),
    };
  },
};

const RULES = {
  order: [
    ["max_tie", "At most so many items share a place", 3],
    ["no_ties_of_same_source", "No ties between items of one source"],
  ],
  group: [
    ["max_groups", "At most so many groups", 10],
    ["min_group", "At least so many items in a group", 2],
    ["max_group", "At most so many items in a group", 10],
    ["one_per_source", "No two items of one source in a group"],
    ["named_groups", "Every group has a name"],
  ],
};

/** Rules that pages explain beside the item while a judge works. */
function rulesPart(kind) {
  const rows = (RULES[kind] ?? []).map(([rule, words, n]) => {
    const on = h("input", { type: "checkbox" });
    const limit = n
      ? h("input", {
          type: "number",
          class: "small-number",
          min: 1,
          max: 10000,
          value: String(n),
          "aria-label": `${words}: how many`,
        })
      : null;
    return { rule, on, limit, element: h("div", { class: "check" }, h("label", {}, on, words), " ", limit) };
  });
  const element = rows.length
    ? h(
        "fieldset",
        {},
        h("legend", {}, "Rules explained while judging"),
        h("p", { class: "soft small" }, "A judge who breaks one sees it beside the item, and can go on."),
        rows.map((row) => row.element),
      )
    : null;
  return {
    element,
    value: () =>
      rows
        .filter(({ on }) => on.checked)
        .map(({ rule, limit }) => ({ rule, ...(limit ? { n: Number(limit.value) } : {}) })),
  };
}

/** One page of the study: the question above each task, its settings and rules. */
function pagePart(kind, earlier) {
  const [, title] = KINDS.find(([name]) => name === kind);
  const settings = SETTINGS[kind]();
  const rules = rulesPart(kind);
  const prompt = h("input", { maxlength: 1000, placeholder: "Which answer helps most?" });
  const judges = number(0, 0, 10000);
  const more = h("div", {}, field("Judges per task on this page", judges, "0: as many as the study says."));
  const up = h("button", { type: "button", class: "more", onclick: () => earlier(kind) }, "Earlier");
  up.setAttribute("aria-label", `${title} earlier`);
  return {
    kind,
    element: h(
      "fieldset",
      {},
      h("legend", {}, title),
      up,
      field("Question above each task", prompt, "Left empty, a plain sentence stands there."),
      settings.element,
      more,
      rules.element,
    ),
    place: (n, of) => ((more.hidden = of < 2), (up.hidden = n === 0)),
    rules: rules.value,
    value: () => ({
      ...settings.value(),
      ...(prompt.value.trim() ? { prompt: prompt.value.trim() } : {}),
      ...(Number(judges.value) ? { judges: Number(judges.value) } : {}),
    }),
  };
}

/** What judges do: one kind of page or several, in a sequence. */
export function kindPart() {
  const box = h("div", {});
  const by = select(
    [
      ["task", "Task by task: all pages of a task, then the next task"],
      ["page", "Page by page: all tasks of a page, then the next page"],
    ],
    "task",
  );
  const sequence = field("Judges go through them", by);
  let pages = [];
  const show = () => {
    sequence.hidden = pages.length < 2;
    pages.forEach((page, n) => page.place(n, pages.length));
    fill(
      box,
      pages.map(({ element }) => element),
    );
  };
  const earlier = (kind) => {
    const at = pages.findIndex((page) => page.kind === kind);
    pages.splice(at - 1, 2, pages[at], pages[at - 1]);
    show();
    pages[at - 1].element.querySelector("input").focus();
    announce(`${kind} is now number ${at}.`);
  };
  const boxes = KINDS.map(([name, title, words]) => {
    const input = h("input", { type: "checkbox", name: "kind", value: name, checked: name === "order" });
    input.addEventListener("change", () => {
      if (input.checked) pages.push(pagePart(name, earlier));
      else pages = pages.filter(({ kind }) => kind !== name);
      if (!pages.length) {
        input.checked = true; // a study asks for something
        pages.push(pagePart(name, earlier));
      }
      show();
    });
    return h("label", { class: "check" }, input, h("b", {}, title), h("span", { class: "soft" }, ` ${words}`));
  });
  pages.push(pagePart("order", earlier));
  show();
  const element = h(
    "section",
    { class: "panel" },
    h("h2", {}, "2. What judges do"),
    h("fieldset", {}, h("legend", {}, "One kind of page, or several of the same items"), boxes),
    sequence,
    box,
  );
  return {
    element,
    value: () => ({
      pages: Object.fromEntries(pages.map((page) => [page.kind, page.value()])),
      sequence: { pages: pages.map(({ kind }) => kind), by: by.value },
      rules: pages.flatMap((page) => page.rules()),
    }),
  };
}
