// Tokens for programs: make one, told once; see which there are; take one back.

import { call, get, post } from "../api.js";
import { announce, fill, h } from "../dom.js";
import { doing, field, start, table, when } from "./lead.js";

const MAY = {
  read: "Read studies, progress and exports",
  write: "Make and change studies, items, judges",
  freeze: "Freeze a gold standard",
};

start(async (main) => {
  const { studies } = await get("/api/studies");
  const titles = Object.fromEntries(studies.map(({ id, title }) => [id, title]));
  const label = h("input", { maxlength: 200, dir: "auto" });
  const of = h(
    "select",
    {},
    h("option", { value: "" }, "All my studies"),
    studies.map(({ id, title }) => h("option", { value: id }, title)),
  );
  const days = h("input", { type: "number", min: 1, max: 3650, value: "90" });
  const boxes = Object.keys(MAY).map((scope) =>
    h("input", { type: "checkbox", value: scope, checked: scope === "read" }),
  );
  const told = h("div", { role: "status" });
  const list = h("section", { class: "panel" });

  async function make() {
    const scopes = boxes.filter((box) => box.checked).map((box) => box.value);
    if (!scopes.length) throw { message: "A token that may do nothing is no use.", hint: "Tick what it may do." };
    const asked = { scopes, label: label.value.trim(), days: Number(days.value) || 90 };
    const { token } = await post("/api/tokens", of.value ? { ...asked, study: of.value } : asked);
    label.value = "";
    fill(
      told,
      h(
        "p",
        { class: "notice" },
        "Copy the token now; it is not shown again. A program sends it as ",
        h("code", {}, "Authorization: Bearer …"),
        ".",
      ),
      h("p", { class: "link" }, token),
    );
    announce("A token was made.");
    await show();
  }

  const drop = async ({ id }) => {
    await call("DELETE", `/api/tokens/${id}`);
    announce("The token works no more.");
    await show();
  };

  async function show() {
    const { tokens } = await get("/api/tokens");
    fill(
      list,
      h("h2", {}, "Tokens there are"),
      tokens.length
        ? table(
            [
              ["For", (one) => h("span", { dir: "auto" }, one.label || "–")],
              ["May", (one) => [one.scopes].flat().join(", ")],
              ["Study", (one) => h("span", { dir: "auto" }, one.study_id ? (titles[one.study_id] ?? "–") : "all")],
              ["Until", (one) => when(one.expires)],
              [
                "",
                (one) =>
                  doing("Take back", () => drop(one), {
                    class: "danger",
                    "aria-label": `Take back: ${one.label || "token"}`,
                  }),
              ],
            ],
            tokens,
            "Tokens",
          )
        : h("p", { class: "soft" }, "There is none."),
    );
  }

  fill(
    main,
    h("h1", {}, "Tokens for programs"),
    h(
      "section",
      { class: "panel" },
      h("h2", {}, "A new token"),
      h(
        "div",
        { class: "fields" },
        field("What it is for", label),
        field("Study", of),
        field("Days that it lasts", days),
      ),
      h(
        "fieldset",
        {},
        h("legend", {}, "It may"),
        boxes.map((box) => h("label", { class: "check" }, box, ` ${MAY[box.value]}`)),
      ),
      told,
      h("p", { class: "buttons" }, doing("Make it", make, { class: "main" })),
      h(
        "p",
        { class: "soft small" },
        "A language model that judges gets a token of its own, on its study's page Judges.",
      ),
    ),
    list,
  );
  await show();
});
