// Freezing: a gold standard that anyone can recompute from the judgments in its bundle.

import { get, post, root } from "../api.js";
import { announce, fill, h } from "../dom.js";
import { api, doing, field, start, table, when } from "./lead.js";

start(async (main) => {
  async function show() {
    const { freezes, methods = [] } = await get(api("/freezes"));
    const choice = h(
      "select",
      {},
      methods.map(({ id, title }) => h("option", { value: id }, title ?? id)),
    );
    const about = h("p", { class: "soft small" });
    const explain = () => (about.textContent = methods.find(({ id }) => id === choice.value)?.text ?? "");
    choice.addEventListener("change", explain);
    explain();
    const freeze = async () => {
      await post(api("/freeze"), choice.value ? { method: choice.value } : {});
      announce("Frozen.");
      await show();
    };
    const file = (row) =>
      h(
        "a",
        { href: `${root}${api(`/freezes/${row.n}/bundle.zip`)}`, "aria-label": `Download version ${row.n}` },
        "Download",
      );
    fill(
      main,
      h("h1", {}, "Freeze"),
      h(
        "p",
        { class: "soft" },
        "A frozen version never changes: it holds the raw judgments, exclusions with their reasons, your decisions, the consensus with its support per item, and a report. ",
        h("code", {}, "quorate verify FILE"),
        " recomputes it on any machine and says what differs.",
      ),
      h(
        "section",
        { class: "panel" },
        h("h2", {}, "Versions"),
        freezes.length
          ? table(
              [
                ["Version", (row) => String(row.n), true],
                ["Frozen", (row) => when(row.time)],
                ["Method", (row) => row.method],
                ["Items", (row) => String(row.items ?? "–"), true],
                ["Judges", (row) => String(row.judges ?? "–"), true],
                [
                  "Excluded",
                  (row) => String(Array.isArray(row.exclusions) ? row.exclusions.length : (row.exclusions ?? 0)),
                  true,
                ],
                ["SHA-256", (row) => h("span", { class: "link", title: row.sha256 }, (row.sha256 ?? "").slice(0, 12))],
                ["", file],
              ],
              freezes,
              "Frozen versions",
            )
          : h("p", { class: "soft" }, "Nothing is frozen yet."),
      ),
      h(
        "section",
        { class: "panel" },
        h("h2", {}, "Freeze a new version"),
        methods.length ? [field("Consensus by", choice), about] : null,
        h(
          "p",
          { class: "buttons" },
          h("span", { class: "soft small" }, "A report is computed with it; this can take a minute."),
          doing("Freeze now", freeze, { class: "main" }),
        ),
      ),
      h(
        "section",
        { class: "panel" },
        h("h2", {}, "Export judgments"),
        h("p", { class: "soft" }, "What is submitted so far, without freezing."),
        h(
          "p",
          { class: "buttons" },
          ["csv", "jsonl", "parquet"].map((format) =>
            h("a", { class: "button", href: `${root}${api("/export")}?format=${format}` }, format.toUpperCase()),
          ),
        ),
      ),
    );
  }
  await show();
});
