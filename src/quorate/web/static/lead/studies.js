// The lead's studies, and the way to a new one.

import { get, root } from "../api.js";
import { count, fill, h } from "../dom.js";
import { KINDS, start, when } from "./lead.js";

const LOOKS = { open: "now", paused: "out", closed: "done" };

function entry(study) {
  const { submitted = 0, active = 0 } = study.counts ?? {};
  const kinds = (study.kinds ?? [study.kind]).map((kind) => KINDS[kind]).join(", ");
  return h(
    "li",
    {},
    h(
      "a",
      { class: "task", href: `${root}/lead/s/${study.id}` },
      h(
        "span",
        {},
        h("b", { dir: "auto" }, study.title),
        h("br"),
        h(
          "span",
          { class: "soft small" },
          `${kinds} · ${count(study.tasks, "task")} · ${count(study.items, "item")} · ${count(study.judges, "judge")} · ${submitted} submitted, ${active} in progress`,
        ),
        study.deadline ? h("span", { class: "soft small" }, ` · until ${when(study.deadline)}`) : null,
      ),
      h("span", { class: `tag ${LOOKS[study.state] ?? ""}` }, study.state),
    ),
  );
}

start(async (main) => {
  const { studies } = await get("/api/studies");
  fill(
    main,
    h(
      "div",
      { class: "head" },
      h("h1", {}, "Studies"),
      h("a", { class: "button main", href: `${root}/lead/new` }, "New study"),
    ),
    studies.length
      ? h("ul", { class: "tasks" }, studies.map(entry))
      : h(
          "div",
          { class: "panel" },
          h("p", {}, "No study yet."),
          h(
            "p",
            { class: "soft" },
            "A study needs a list of items (a CSV file, or lines you paste), what judges should do with them, and the judges' names. You get a personal link for each judge; it takes about two minutes.",
          ),
        ),
  );
});
