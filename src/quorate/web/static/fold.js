// Long texts are folded, with a button that says so.

import { h } from "./dom.js";

/** Whether a text is folded at first. */
export const isLong = (text, characters = 360, lines = 6) =>
  text.length > characters || text.split("\n").length > lines;

/** A button that folds and unfolds an element by its class "folded". */
export function foldButton(element) {
  element.classList.add("folded");
  const button = h("button", { type: "button", class: "more", "aria-expanded": "false" }, "Show all");
  button.addEventListener("click", (event) => {
    event.stopPropagation();
    const folded = element.classList.toggle("folded");
    button.textContent = folded ? "Show all" : "Show less";
    button.setAttribute("aria-expanded", String(!folded));
  });
  return button;
}
