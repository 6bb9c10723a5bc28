// Personal links, shown once: to copy, or to save as a table.

import { announce, h } from "../dom.js";
import { download, table } from "./lead.js";

const quoted = (text) => `"${(/^[=+\-@\t\r]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`;

async function copy(text, button) {
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
    announce("Copied.");
  } catch {
    announce("This browser does not allow copying. Select the link and copy it by hand.");
  }
}

export function showLinks(links) {
  const rows = links.map(({ name, judge, url }) => ({ name: name ?? judge, url: new URL(url, location.origin).href }));
  const all = rows.map(({ name, url }) => `${name}\t${url}`).join("\n");
  const csv = ["judge,link", ...rows.map(({ name, url }) => `${quoted(name)},${quoted(url)}`)].join("\n");
  const button = (text, what, label) =>
    h("button", { type: "button", "aria-label": label, onclick: (event) => copy(what, event.currentTarget) }, text);
  return h(
    "section",
    { class: "panel" },
    h("h2", {}, "Personal links"),
    h(
      "p",
      { class: "notice" },
      "These links are shown only now: the server keeps a fingerprint of each, not the link. Whoever has a link can judge under that name, so send each judge only their own.",
    ),
    table(
      [
        ["Judge", (row) => h("span", { dir: "auto" }, row.name)],
        ["Link", (row) => h("span", { class: "link" }, row.url)],
        ["", (row) => button("Copy", row.url, `Copy the link of ${row.name}`)],
      ],
      rows,
      "Personal links",
    ),
    h(
      "p",
      { class: "buttons" },
      button("Copy all", all),
      h("button", { type: "button", onclick: () => download("links.csv", csv) }, "Save as CSV"),
    ),
  );
}
