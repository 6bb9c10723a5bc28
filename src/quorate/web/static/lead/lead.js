// What all pages of the lead share: the row of links on top, loading, problems in words.

import { Offline, post, root } from "../api.js";
import { fill, find, h } from "../dom.js";

export const study = document.documentElement.dataset.study;
export const api = (path = "") => `/api/studies/${study}${path}`;
export const KINDS = { order: "Order", group: "Groups", score: "Scores", vote: "Votes" };

const TABS = [
  ["", "Dashboard"],
  ["/invite", "Judges"],
  ["/adjudicate", "Adjudicate"],
  ["/freeze", "Freeze"],
  ["/settings", "Settings"],
];

async function leave() {
  await post("/lead/logout").catch(() => {});
  location.href = `${root}/lead/login`;
}

function top() {
  const here = location.pathname;
  const link = (path, text, home) =>
    h(
      "a",
      { href: root + path, class: home ? "home" : "", "aria-current": here === root + path ? "page" : null },
      text,
    );
  const tabs = study ? TABS.map(([path, text]) => link(`/lead/s/${study}${path}`, text)) : [];
  return h(
    "nav",
    { class: "top", "aria-label": "Pages" },
    link("/lead", "Studies", true),
    tabs,
    h("span", { class: "space" }),
    study ? null : link("/lead/tokens", "Tokens"),
    h("button", { class: "more", onclick: leave }, "Sign out"),
  );
}

/** Draws a page: links, then the content that `draw(main)` fills. Problems are said, and a lost session leads to the door. */
export async function start(draw, { wide = true } = {}) {
  const main = h("main", { class: wide ? "wide" : "" });
  fill(find("#page"), top(), main);
  try {
    await draw(main);
  } catch (error) {
    if (error.status === 401) location.href = `${root}/lead/login`;
    else
      fill(
        main,
        h("h1", {}, error instanceof Offline ? "The server cannot be reached" : "This cannot be shown"),
        problem(error),
      );
  }
}

/** A problem as the server put it: fact, hint, and every error with its place. */
export function problem(error) {
  const errors = (error.errors ?? []).filter(({ where, fact }) => where || fact !== error.message);
  return h(
    "div",
    { class: "problem", role: "alert" },
    h("p", {}, error.message ?? String(error), error.hint ? h("span", { class: "soft" }, ` ${error.hint}`) : null),
    errors.length
      ? h(
          "ul",
          {},
          errors.map(({ where, fact, hint }) =>
            h(
              "li",
              {},
              where ? h("b", {}, `${where}: `) : null,
              fact,
              hint ? h("span", { class: "soft" }, ` ${hint}`) : null,
            ),
          ),
        )
      : null,
  );
}

/** A button that works on something: disabled meanwhile, and what goes wrong is said beside it. */
export function doing(text, action, attributes = {}) {
  const said = h("span", {});
  const button = h("button", { type: "button", ...attributes }, text);
  button.addEventListener("click", async () => {
    button.disabled = true;
    fill(said);
    try {
      await action(button);
    } catch (error) {
      fill(said, problem(error));
    }
    button.disabled = false;
  });
  return h("span", {}, button, said);
}

export const when = (time) =>
  time ? new Date(time).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" }) : "–";

/** How long ago, roughly: what a lead wants to know of a judge. */
export function ago(time) {
  if (!time) return "never";
  const minutes = Math.round((Date.now() - new Date(time)) / 60000);
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${minutes} min ago`;
  return minutes < 2880 ? `${Math.round(minutes / 60)} h ago` : `${Math.round(minutes / 1440)} days ago`;
}

/** A table: columns are [title, cell(row), number?]. On a small screen each row becomes a card, so roles are said aloud. */
export function table(columns, rows, caption) {
  const head = ([title, , number]) =>
    h(
      "th",
      { scope: "col", role: "columnheader", class: number ? "number" : "" },
      title || h("span", { class: "unseen" }, "More"),
    );
  const cell = (row, [title, content, number]) =>
    h("td", { role: "cell", "data-label": title, class: number ? "number" : "" }, content(row));
  return h(
    "div",
    { class: "scroll", tabindex: 0, role: "region", "aria-label": caption },
    h(
      "table",
      { role: "table" },
      h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, columns.map(head))),
      h(
        "tbody",
        { role: "rowgroup" },
        rows.map((row) =>
          h(
            "tr",
            { role: "row" },
            columns.map((column) => cell(row, column)),
          ),
        ),
      ),
    ),
  );
}

let fields = 0;
/** A labelled field; the hint belongs to it for a screen reader too. */
export function field(label, input, hint) {
  const id = `field-${(fields += 1)}`;
  input.id = id;
  if (hint) input.setAttribute("aria-describedby", `${id}-hint`);
  return h(
    "div",
    { class: "field" },
    h("label", { htmlFor: id }, label),
    input,
    hint ? h("span", { class: "soft small", id: `${id}-hint` }, hint) : null,
  );
}

/** A text as a file for the lead's own machine. */
export function download(name, text, type = "text/csv") {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
