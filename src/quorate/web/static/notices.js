// What stands above a task when something is not as usual, each with what the judge can do about it.

import { root } from "./api.js";
import { h } from "./dom.js";

const warning = (text, ...rest) => h("div", { class: "notice warning" }, h("p", {}, text), rest);
const button = (text, action) => h("button", { type: "button", onclick: action }, text);
const line = ({ fact, hint }) => h("li", {}, fact, hint ? h("span", { class: "soft" }, ` ${hint}`) : null);

const WARNINGS = {
  conflict: (record, sync, { choose }) =>
    warning("This task was changed elsewhere.", button("Compare and choose", choose)),
  "signed-out": (record, sync) =>
    warning(
      "You are signed out, or another judge's link was opened in this browser. Open your personal link again in this browser; then everything kept here is sent.",
      button("Try again", () => sync.retry()),
    ),
  closed: (record) => warning(record.closed === true ? "This task is closed." : String(record.closed)),
  refused: (record) =>
    warning(
      "The server did not take this:",
      h("ul", {}, record.refused.errors.map(line)),
      "You can go on; other tasks are not affected.",
    ),
};

/** The notices of a record whose status has this name. */
export function notices(name, record, sync, actions) {
  return [
    WARNINGS[name]?.(record, sync, actions),
    sync.device.lasting
      ? null
      : warning(
          "This browser keeps nothing when it is closed. Before closing, wait until “Saved on the server” is shown.",
        ),
    record.submit && name !== "saving"
      ? h(
          "div",
          { class: "notice" },
          h(
            "p",
            {},
            "Your answer is kept and will be submitted as soon as the server can be reached. You can close this page; open your link again when you are online.",
          ),
          button("Try again", () => sync.retry()),
        )
      : null,
    record.submitted
      ? h(
          "div",
          { class: "notice" },
          h("p", {}, "You have submitted this task. Thank you."),
          actions.reopen ? button("Change my answer", actions.reopen) : null,
          " ",
          h("a", { class: "button", href: `${root}/judge` }, "Back to the list"),
        )
      : null,
  ];
}
