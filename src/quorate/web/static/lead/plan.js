// Adaptive collection on the dashboard: the rule that was declared, where it stands, what is judged next.

import { post } from "../api.js";
import { h } from "../dom.js";
import { api, doing, when } from "./lead.js";

/** The rule in words, how it stood when it was last looked at, and the tasks that come next. */
export function plan({ text, said, last }, again) {
  const look = async () => {
    await post(api("/plan"));
    await again();
  };
  return [
    h("p", {}, text),
    h(
      "p",
      {},
      h("b", {}, said),
      last ? h("span", { class: "soft small" }, ` As of event ${last.as_of}, ${when(last.time)}.`) : null,
    ),
    last?.next?.length
      ? [
          h("h3", {}, "Next"),
          h(
            "ol",
            {},
            last.next.map((row) =>
              h("li", { dir: "auto" }, row.title, h("span", { class: "soft small words" }, row.text)),
            ),
          ),
        ]
      : null,
    h(
      "p",
      { class: "buttons" },
      h("span", { class: "soft small" }, "Looked at after submissions, twice a minute at the most; logged each time."),
      doing("Look now", look),
    ),
  ];
}
