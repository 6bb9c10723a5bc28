// The score page: every item by every criterion, one item at a time or side by side. No score is set beforehand.

import { count, h, set } from "./dom.js";
import { foldButton, isLong } from "./fold.js";

export const empty = () => ({ kind: "score", scores: {} });

const RADIOS = 11; // points of a scale shown as buttons; longer ones are typed
const criteriaOf = (task) => (task.criteria?.length ? task.criteria : (task.settings?.criteria ?? []));
const scoreOf = (state, item, criterion) => state.scores[item]?.[criterion];
const given = (state) => Object.values(state.scores).reduce((sum, scores) => sum + Object.keys(scores).length, 0);

/** A score set, or taken away (null). */
export function withScore(state, item, criterion, score) {
  const { [criterion]: _, ...rest } = state.scores[item] ?? {};
  const scores = { ...state.scores, [item]: score === null ? rest : { ...rest, [criterion]: score } };
  if (!Object.keys(scores[item]).length) delete scores[item];
  return { ...state, scores };
}

export const progress = (task, state) => ({ done: given(state), total: task.items.length * criteriaOf(task).length });

export function lacking(task, state) {
  const { done, total } = progress(task, state);
  return done < total
    ? `${count(total - done, "score is", "scores are")} missing. You can go on later; everything so far is kept.`
    : "";
}

export function describe(task, state) {
  return h(
    "ul",
    {},
    task.items.map((item, n) =>
      h(
        "li",
        {},
        `Text ${n + 1}: `,
        criteriaOf(task)
          .map((criterion) => `${criterion.name} ${scoreOf(state, item.id, criterion.id) ?? "–"}`)
          .join(", "),
      ),
    ),
  );
}

export const keys = (task) => [
  ["0–9", "give the score to the focused criterion"],
  ["Tab", "next criterion"],
  ...(task.settings?.layout === "side" ? [] : [["N", "P", "next, previous text"]]),
  ["Delete", "clear"],
  ["Ctrl+Z", "undo"],
];

export function board(task, { change }) {
  const criteria = criteriaOf(task);
  const one = task.settings?.layout !== "side" && task.items.length > 1;
  const outputs = task.items.map((item, n) => output(item, n));
  const where = h("span", { class: "where", "aria-live": "off" });
  const back = h("button", { type: "button", onclick: () => turn(at - 1, true) }, "Previous");
  const next = h("button", { type: "button", onclick: () => turn(at + 1, true) }, "Next");
  const dots = h(
    "ol",
    { class: "dots", "aria-label": "Texts" },
    task.items.map((item, n) =>
      h("li", {}, h("button", { type: "button", onclick: () => turn(n, true) }, String(n + 1))),
    ),
  );
  const element = h(
    "div",
    { class: "scoring" },
    h(
      "div",
      { class: one ? "outputs" : "outputs side" },
      outputs.map((part) => part.root),
    ),
    one ? [h("div", { class: "stepper" }, back, where, next), dots] : null,
  );
  let at = 0;
  let state = empty();

  function output(item, n) {
    const root = h("section", { class: "output", "aria-labelledby": `output-${n}` });
    const meta = [item.source, item.date].filter(Boolean).join(" · ");
    const scales = criteria.map((criterion) => scale(item, criterion));
    root.append(
      h(
        "h2",
        { id: `output-${n}`, tabindex: -1 },
        `Text ${n + 1} of ${task.items.length}`,
        meta ? h("span", { class: "meta" }, ` · ${meta}`) : "",
      ),
      h("div", { class: "body", dir: "auto" }, item.text),
      ...(isLong(item.text, one ? 1600 : 600, one ? 24 : 12) ? [foldButton(root)] : []),
      ...scales.map((part) => part.root),
    );
    return { root, scales };
  }

  function scale(item, criterion) {
    const { low, high, anchors = {} } = criterion;
    const put = (score) =>
      change(
        withScore(state, item.id, criterion.id, score),
        score === null ? `${criterion.name}: cleared.` : `${criterion.name}: ${score}. ${anchors[score] ?? ""}`,
      );
    const clear = h(
      "button",
      {
        type: "button",
        class: "more",
        hidden: true,
        "aria-label": `Clear ${criterion.name}`,
        onclick: () => put(null),
      },
      "Clear",
    );
    const points = high - low + 1;
    const name = `${item.id} ${criterion.id}`;
    const values = Array.from({ length: points <= RADIOS ? points : 0 }, (_, n) => low + n);
    const radios = values.map((value) =>
      h("input", {
        type: "radio",
        name,
        value: String(value),
        "aria-label": anchors[value] ? `${value}: ${anchors[value]}` : String(value),
        onchange: () => put(value),
      }),
    );
    const typed = radios.length
      ? null
      : h("input", {
          type: "number",
          min: low,
          max: high,
          step: 1,
          placeholder: `${low}–${high}`,
          "aria-label": `${criterion.name}, from ${low} to ${high}`,
          onchange: (event) => enter(event.target),
        });
    const anchored = Object.entries(anchors).sort(([a], [b]) => a - b);
    const root = h(
      "fieldset",
      { class: "scale" },
      h("legend", { dir: "auto" }, criterion.name),
      typed
        ? h("div", { class: "points" }, typed, clear)
        : h(
            "div",
            { class: "points" },
            radios.map((radio, n) =>
              h("label", { class: "point" }, radio, h("span", { "aria-hidden": "true" }, String(values[n]))),
            ),
            clear,
          ),
      anchored.length
        ? h(
            "ul",
            { class: "anchors", "aria-hidden": radios.length ? "true" : "false" },
            anchored.map(([value, words]) => h("li", {}, h("b", {}, value), " ", h("span", { dir: "auto" }, words))),
          )
        : null,
    );

    function enter(input) {
      const value = Number(input.value);
      if (input.value === "") return put(null);
      if (Number.isInteger(value) && value >= low && value <= high) put(value);
      else (input.setCustomValidity(`A whole number from ${low} to ${high}, please.`), input.reportValidity());
    }

    root.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || typed) return;
      const value = Number(event.key);
      if (/^[0-9]$/.test(event.key) && value >= low && value <= high) {
        put(value);
        onward(root);
      } else if (event.key === "Delete" || event.key === "Backspace") put(null);
      else return;
      event.preventDefault();
    });
    const draw = (score) => {
      radios.forEach((radio, n) => set(radio, "checked", values[n] === score));
      if (typed && typed !== document.activeElement) set(typed, "value", score === undefined ? "" : String(score));
      typed?.setCustomValidity("");
      set(clear, "hidden", score === undefined);
    };
    return { root, draw, item: item.id, criterion: criterion.id };
  }

  /** After a digit: the next criterion of this text, or the way on. */
  function onward(scale) {
    const all = [...element.querySelectorAll(".output:not([hidden]) .scale")];
    const following = all[all.indexOf(scale) + 1];
    const target =
      following?.querySelector("input:checked, input") ??
      (one && at < task.items.length - 1 ? next : document.querySelector(".finish .main"));
    target?.focus();
  }

  function turn(to, focus) {
    at = Math.max(0, Math.min(task.items.length - 1, to));
    show();
    if (focus) outputs[at].root.querySelector("h2").focus();
  }

  function show() {
    if (!one) return;
    outputs.forEach((part, n) => set(part.root, "hidden", n !== at));
    where.textContent = `${at + 1} of ${task.items.length}`;
    back.disabled = at === 0;
    next.disabled = at === task.items.length - 1;
    [...dots.querySelectorAll("button")].forEach((button, n) => {
      const done = criteria.every((criterion) => scoreOf(state, task.items[n].id, criterion.id) !== undefined);
      button.classList.toggle("done", done);
      button.setAttribute("aria-current", String(n === at));
      button.setAttribute("aria-label", `Text ${n + 1}, ${done ? "scored" : "not scored yet"}`);
    });
  }

  element.addEventListener("keydown", (event) => {
    if (!one || event.ctrlKey || event.metaKey || event.altKey || event.target.type === "number") return;
    const key = event.key.toLowerCase();
    if (key === "n" || key === "p") turn(at + (key === "n" ? 1 : -1), true);
    else if (/^[0-9]$/.test(key) && event.target.matches("h2"))
      outputs[at].scales[0]?.root.dispatchEvent(new KeyboardEvent("keydown", { key: event.key }));
    else return;
    event.preventDefault();
  });

  function draw(now) {
    const before = state;
    state = now;
    outputs.forEach((part, n) =>
      part.scales.forEach((scale) => {
        const score = scoreOf(state, scale.item, scale.criterion);
        if (
          score !== scoreOf(before, scale.item, scale.criterion) &&
          !outputs[at].root.contains(document.activeElement) &&
          document.activeElement !== document.body
        )
          at = n; // undo shows what it undid
        scale.draw(score);
      }),
    );
    show();
  }

  const focusOpen = (now) => {
    const open = task.items.findIndex((item) =>
      criteria.some((criterion) => scoreOf(now, item.id, criterion.id) === undefined),
    );
    if (one) turn(open, false);
    const scale = outputs[open].scales.find((part) => scoreOf(now, part.item, part.criterion) === undefined);
    scale.root.querySelector("input").focus();
    return true;
  };

  return { element, draw, focusOpen };
}
