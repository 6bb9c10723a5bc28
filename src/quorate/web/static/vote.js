// The vote page: two texts, one choice; ties and "both are bad" where the study allows them.

import { count, h, set } from "./dom.js";
import { foldButton, isLong } from "./fold.js";

export const empty = () => ({ kind: "vote", choices: {} });

const WORDS = { a: "A is better", b: "B is better", tie: "Equally good", both_bad: "Both are bad" };
const KEYS = { a: ["1", "arrowleft"], b: ["2", "arrowright"], tie: ["3", "=", "t"], both_bad: ["4", "0"] };
const choicesOf = ({ settings = {} }) => [
  "a",
  "b",
  ...((settings.ties ?? true) ? ["tie"] : []),
  ...((settings.both_bad ?? true) ? ["both_bad"] : []),
];

export function withChoice(state, pair, choice) {
  const { [pair]: _, ...rest } = state.choices;
  return { ...state, choices: choice === null ? rest : { ...rest, [pair]: choice } };
}

export const progress = (task, state) => ({ done: Object.keys(state.choices).length, total: task.pairs.length });

export function lacking(task, state) {
  const left = task.pairs.length - Object.keys(state.choices).length;
  return left
    ? `${count(left, "pair is", "pairs are")} not decided yet. You can go on later; everything so far is kept.`
    : "";
}

export const describe = (task, state) =>
  h(
    "ol",
    {},
    task.pairs.map((pair) => h("li", {}, WORDS[state.choices[pair.id]] ?? "not decided yet")),
  );

export const keys = (task) => [
  ["1", "←", "A is better"],
  ["2", "→", "B is better"],
  ...(choicesOf(task).includes("tie") ? [["3", "equally good"]] : []),
  ...(choicesOf(task).includes("both_bad") ? [["4", "both are bad"]] : []),
  ["N", "P", "next, previous pair"],
  ["Delete", "clear"],
  ["Ctrl+Z", "undo"],
];

export function board(task, { change }) {
  const texts = new Map(task.items.map((item) => [item.id, item]));
  const offered = choicesOf(task);
  const sides = { a: side("A"), b: side("B") };
  const buttons = new Map(
    offered.map((choice) => [
      choice,
      h(
        "button",
        { type: "button", "aria-pressed": "false", onclick: () => choose(choice) },
        WORDS[choice],
        " ",
        h("kbd", { "aria-hidden": "true" }, KEYS[choice][0]),
      ),
    ]),
  );
  const where = h("h2", { tabindex: -1, class: "where" });
  const back = h("button", { type: "button", onclick: () => turn(at - 1, true) }, "Previous");
  const next = h("button", { type: "button", onclick: () => turn(at + 1, true) }, "Next");
  const dots = h(
    "ol",
    { class: "dots", "aria-label": "Pairs" },
    task.pairs.map((pair, n) =>
      h("li", {}, h("button", { type: "button", onclick: () => turn(n, true) }, String(n + 1))),
    ),
  );
  const element = h(
    "div",
    { class: "voting" },
    h("div", { class: "stepper" }, back, where, next),
    h("div", { class: "pair" }, sides.a.root, sides.b.root),
    h("div", { class: "choices", role: "group", "aria-label": "Your choice" }, [...buttons.values()]),
    task.pairs.length > 1 ? dots : null,
  );
  let at = 0;
  let shown = null;
  let state = empty();

  function side(name) {
    const body = h("div", { class: "body", dir: "auto" });
    const fold = h("div", {});
    return { root: h("section", { class: "output", "aria-label": name }, h("h2", {}, name), body, fold), body, fold };
  }

  function choose(choice) {
    const pair = task.pairs[at];
    if (state.choices[pair.id] === choice) return change(withChoice(state, pair.id, null), "Cleared.");
    const now = withChoice(state, pair.id, choice);
    const open = [...task.pairs.keys()]
      .map((n) => (at + 1 + n) % task.pairs.length)
      .find((n) => !(task.pairs[n].id in now.choices));
    const said = `${WORDS[choice]}.`;
    if (open === undefined) change(now, `${said} All pairs are decided.`);
    else {
      at = open;
      change(now, `${said} Pair ${open + 1} of ${task.pairs.length}.`);
      where.focus({ preventScroll: true });
    }
  }

  function turn(to, focus) {
    at = Math.max(0, Math.min(task.pairs.length - 1, to));
    show();
    if (focus) where.focus();
  }

  function show() {
    const pair = task.pairs[at];
    for (const name of ["a", "b"]) {
      const { root, body, fold } = sides[name];
      if (shown !== pair.id) {
        const text = texts.get(pair[name])?.text ?? pair[name];
        body.textContent = text;
        root.classList.remove("folded");
        fold.replaceChildren(...(isLong(text, 1600, 24) ? [foldButton(root)] : []));
      }
      root.classList.toggle("picked", state.choices[pair.id] === name);
    }
    shown = pair.id;
    for (const [choice, button] of buttons)
      button.setAttribute("aria-pressed", String(state.choices[pair.id] === choice));
    where.textContent = `Pair ${at + 1} of ${task.pairs.length}`;
    back.disabled = at === 0;
    next.disabled = at === task.pairs.length - 1;
    [...dots.querySelectorAll("button")].forEach((button, n) => {
      const done = task.pairs[n].id in state.choices;
      button.classList.toggle("done", done);
      set(button, "ariaCurrent", String(n === at));
      button.setAttribute("aria-label", `Pair ${n + 1}, ${done ? "decided" : "not decided yet"}`);
    });
  }

  addEventListener("keydown", (event) => {
    if (
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      element.inert ||
      !(element.contains(event.target) || event.target === document.body)
    )
      return;
    const key = event.key.toLowerCase();
    const choice = offered.find((name) => KEYS[name].includes(key));
    if (choice) choose(choice);
    else if (key === "n" || key === "p") turn(at + (key === "n" ? 1 : -1), true);
    else if (key === "delete" || key === "backspace")
      task.pairs[at].id in state.choices && change(withChoice(state, task.pairs[at].id, null), "Cleared.");
    else return;
    event.preventDefault();
  });

  function draw(now, moved = true) {
    const changed = task.pairs.findIndex((pair) => state.choices[pair.id] !== now.choices[pair.id]);
    const undone = changed >= 0 && moved && !(task.pairs[changed].id in now.choices);
    state = now;
    if (undone) at = changed; // undo shows what it undid
    show();
  }

  const focusOpen = (now) => (
    turn(
      task.pairs.findIndex((pair) => !(pair.id in now.choices)),
      true,
    ),
    true
  );

  return { element, draw, focusOpen };
}
