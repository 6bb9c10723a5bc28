// What a judging page asks or shows in between: two versions, feedback on practice, guidelines, a note.

import { ask, count, h, prose } from "./dom.js";

/** Both versions of a task; the judge's choice, "mine" or "theirs", or null. */
export function compare(kind, task, theirs, mine, why) {
  const both = h(
    "div",
    { class: "both" },
    h("section", {}, h("h3", {}, "On this page"), kind.describe(task, mine)),
    h("section", {}, h("h3", {}, "The other version"), kind.describe(task, theirs)),
  );
  return ask(
    "Which version shall count?",
    [h("p", {}, why, " Nothing is lost: both are stored."), both],
    [
      { value: "mine", text: "Keep the one on this page", main: true },
      { value: "theirs", text: "Take the other version" },
    ],
  );
}

/** The beginning of an item's text, to say which one is meant. */
function quoted(task, id) {
  const text = task.items.find((item) => item.id === id)?.text ?? "";
  return text ? h("q", { class: "soft" }, text.length > 60 ? `${text.slice(0, 57)}…` : text, " ") : "";
}

/** How an answer to a practice task compares with the known one. */
export function feedback(task, training) {
  const again = !training.passed && training.attempts_left > 0;
  const wrong = (training.feedback ?? []).map(({ where, text }) => h("li", { dir: "auto" }, quoted(task, where), text));
  return ask(
    training.passed ? "Well done" : "Not quite yet",
    h(
      "div",
      {},
      h("ul", {}, wrong),
      again ? h("p", {}, `You can try ${count(training.attempts_left, "more time")}.`) : null,
    ),
    [{ value: "on", text: again ? "Try again" : "Go on", main: true }],
  );
}

export const guidelines = (task) =>
  ask("Guidelines", prose(task.guidelines_html), [{ value: null, text: "Close", main: true }]);

/** What the judge wants the lead to know; empty if nothing. */
export async function askNote() {
  const text = h("textarea", { id: "note", rows: 5, maxlength: 4000, dir: "auto" });
  const said = await ask(
    "Note to the lead",
    h("div", { class: "stack" }, h("label", { htmlFor: "note" }, "What should the lead know about this task?"), text),
    [
      { value: "send", text: "Send", main: true },
      { value: null, text: "Cancel" },
    ],
  );
  return said === "send" ? text.value.trim() : "";
}
