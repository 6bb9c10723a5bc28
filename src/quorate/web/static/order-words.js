// What the order page says of an order: how far it is, what is lacking, two versions side by side, the keys.

import { count, h } from "./dom.js";
import * as moves from "./order-moves.js";

export const empty = moves.empty;

export const settingsOf = ({ settings = {} }) => ({
  ties: settings.ties ?? true,
  cannot: settings.cannot_place ?? true,
  top: settings.top_k || 0,
});
export const short = (text) => (text.length > 60 ? `${text.slice(0, 57)}…` : text);

export function progress(task, state) {
  const { top } = settingsOf(task);
  const placed = state.ranked.flat().length;
  const total = top ? Math.min(top, task.items.length) : task.items.length;
  return { done: Math.min(total, placed + state.cannot_place.length), total };
}

/** What is still to do, in words; empty when the task can be submitted. */
export function lacking(task, state) {
  const { top } = settingsOf(task);
  const placed = state.ranked.flat().length;
  const left = task.items.length - placed - state.cannot_place.length;
  if (top && placed > top)
    return `Only the best ${top} are asked for, and you have placed ${placed}. Take ${count(placed - top, "item")} back.`;
  if (top) return placed < top && left ? `Place ${count(Math.min(top - placed, left), "more item")}.` : "";
  return left
    ? `${count(left, "item is", "items are")} not placed yet. You can go on later; everything so far is kept.`
    : "";
}

/** The order as a short list, to compare two versions. */
export function describe(task, state) {
  const text = new Map(task.items.map((item) => [item.id, item.text]));
  const say = (ids) =>
    ids
      .map((id) => h("span", { dir: "auto" }, short(text.get(id) ?? id)))
      .flatMap((part, n) => (n ? [" = ", part] : [part]));
  const left = task.items.length - state.ranked.flat().length - state.cannot_place.length;
  return [
    h(
      "ol",
      {},
      state.ranked.map((place) => h("li", {}, say(place))),
    ),
    state.cannot_place.length ? h("p", { class: "soft" }, "Cannot place: ", say(state.cannot_place)) : null,
    left ? h("p", { class: "soft" }, `${left} not placed yet`) : null,
  ];
}

export function keys(task) {
  const { ties, cannot } = settingsOf(task);
  return [
    ["↑", "↓", "go from card to card"],
    ["Enter", "place a card last"],
    [task.items.length < 10 ? "1–9" : "0–9", task.items.length < 10 ? "place it there" : "type its place, then Enter"],
    ["Alt+↑", "Alt+↓", "move it"],
    ...(ties ? [["=", "tie it with the one above"]] : []),
    ["Delete", "take it back"],
    ...(cannot ? [["X", "cannot place"]] : []),
    ["Ctrl+Z", "undo"],
  ];
}
