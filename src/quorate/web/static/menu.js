// A short list of choices beside a button; arrow keys, Escape, and a click elsewhere work as everywhere.

import { h } from "./dom.js";

/** choices: [[text, action], ...] */
export function openMenu(beside, label, choices) {
  const entries = choices.map(([text, action]) =>
    h(
      "button",
      { type: "button", role: "menuitem", tabindex: -1, dir: "auto", onclick: () => (close(), action()) },
      text,
    ),
  );
  const menu = h("div", { class: "menu", role: "menu", "aria-label": label }, entries);
  const away = (event) => menu.contains(event.target) || close();

  function close() {
    removeEventListener("pointerdown", away, true);
    removeEventListener("resize", close);
    menu.remove();
    if (beside.isConnected) beside.focus();
  }

  menu.addEventListener("keydown", (event) => {
    const at = entries.indexOf(document.activeElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1 + entries.length, Home: 0, End: entries.length - 1 }[event.key];
    if (to !== undefined) entries[to % entries.length].focus();
    else if (event.key === "Escape" || event.key === "Tab") close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  (document.querySelector("main") ?? document.body).append(menu);
  const box = beside.getBoundingClientRect();
  menu.style.left = `${Math.max(8, Math.min(box.left, innerWidth - menu.offsetWidth - 8))}px`;
  menu.style.top = `${box.bottom + menu.offsetHeight + 8 < innerHeight ? box.bottom + 4 : Math.max(8, box.top - menu.offsetHeight - 4)}px`;
  addEventListener("pointerdown", away, true);
  addEventListener("resize", close);
  entries[0]?.focus();
}
