// Freezing: a gold standard that anyone can recompute from the judgments in its bundle.

import { get, post, root } from "../api.js";
import { announce, fill, h } from "../dom.js";
import { api, doing, field, KINDS, start, table, when } from "./lead.js";

const PANELS = { order: "orderings", group: "groupings", score: "scores", vote: "votes" };
const FORMATS = [
  ["csv", "CSV"],
  ["jsonl", "JSON Lines"],
  ["parquet", "Parquet"],
];

/** Which consensus of a kind: what it does is said below. */
function chooser(kind, methods, several) {
  const own = methods.filter((method) => method.kind === kind);
  const choice = h(
    "select",
    {},
    own.map(({ id, words }) => h("option", { value: id }, words)),
  );
  const about = h("p", { class: "soft small" });
  const explain = () => (about.textContent = own.find(({ id }) => id === choice.value)?.text ?? "");
  choice.addEventListener("change", explain);
  explain();
  return { element: [field(several ? `${KINDS[kind]}: consensus by` : "Consensus by", choice), about], choice, kind };
}

start(async (main) => {
  async function show() {
    const { freezes, methods = [] } = await get(api("/freezes"));
    const kinds = [...new Set(methods.map(({ kind }) => kind))];
    const choices = kinds.map((kind) => chooser(kind, methods, kinds.length > 1));
    const freeze = async () => {
      await post(api("/freeze"), {
        methods: Object.fromEntries(choices.map(({ kind, choice }) => [kind, choice.value])),
      });
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
        "A frozen version never changes: it holds the raw judgments, exclusions with their reasons, your decisions, the consensus with its support per item, a report, and judgments and consensus in every format that can hold them. ",
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
        choices.map(({ element }) => element),
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
        h("p", { class: "soft" }, kinds.length ? "What is submitted so far, without freezing." : "Nothing is submitted yet."),
        kinds.map((kind) =>
          h(
            "p",
            { class: "buttons" },
            kinds.length > 1 ? h("b", {}, KINDS[kind]) : null,
            FORMATS.map(([format, words]) =>
              h(
                "a",
                {
                  class: "button",
                  href: `${root}${api("/export")}?format=${format}&kind=${PANELS[kind]}`,
                  "aria-label": `${KINDS[kind]} as ${words}`,
                },
                words,
              ),
            ),
          ),
        ),
      ),
    );
  }
  await show();
});
