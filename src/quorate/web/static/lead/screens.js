// What can be said of a kind of judgment so far, in the words of the report's first screen; measures by name are folded.

import { h } from "../dom.js";
import { KINDS } from "./lead.js";

/** What a measure measures, without its name over again. */
function about({ title, summary = "" }) {
  return title && summary.startsWith(`${title}: `)
    ? summary[title.length + 2].toUpperCase() + summary.slice(title.length + 3)
    : summary;
}

/** Every measure with its value and what it measures, for those who look for one. */
function measures(rows) {
  if (!rows.length) return null;
  const line = (row) =>
    h(
      "li",
      { class: "measure" },
      h(
        "span",
        {},
        h("b", {}, row.title),
        h("span", { class: "soft small words" }, about(row)),
        h("code", { class: "soft small" }, row.method),
      ),
      h("b", { class: "value" }, row.text),
    );
  return h(
    "details",
    {},
    h("summary", { class: "small" }, "Measures of agreement, by name"),
    h("ul", { class: "plain" }, rows.map(line)),
  );
}

const tile = ({ asks, word, figure, note, tone }) =>
  h(
    "div",
    { class: "tile", "data-tone": tone },
    h("h3", { class: "soft small" }, asks),
    h("p", { class: "word", dir: "auto" }, word),
    h("p", { class: "small", dir: "auto" }, [figure, note].filter(Boolean).join("; ")),
  );

const step = ({ do: what, why }) => h("li", { dir: "auto" }, h("b", {}, what), why ? `: ${why}.` : ".");

/** One kind: the answer in a sentence, its tiles, what to do next where that is known. */
export function screen(told, agreement, several) {
  const own = { order: "orderings", group: "groupings", score: "scores", vote: "votes" }[told.kind];
  return h(
    "section",
    { class: "panel wide", "aria-label": KINDS[told.kind] },
    h("h2", { dir: "auto" }, several ? h("span", { class: "tag" }, KINDS[told.kind]) : null, ` ${told.headline}`),
    told.sub ? h("p", { dir: "auto" }, told.sub) : null,
    h("div", { class: "tiles" }, told.tiles.map(tile)),
    told.steps.length ? [h("h3", {}, "What to do next"), h("ul", {}, told.steps.map(step))] : null,
    measures(agreement.filter(({ kind }) => kind === own)),
  );
}
