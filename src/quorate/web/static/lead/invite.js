// Judges of a study: invite, see how far they are, give a new link, revoke.

import { get, post } from "../api.js";
import { announce, ask, count, fill, h } from "../dom.js";
import { ago, api, doing, field, start, table } from "./lead.js";
import { showLinks } from "./links.js";

const STATES = { active: ["now", "active"], invited: ["", "invited"], revoked: ["out", "revoked"], withdrawn: ["out", "withdrawn"] };

start(async (main) => {
  const names = h("textarea", { rows: 4, dir: "auto", placeholder: "Amy\nBob" });
  const links = h("div", {});
  const list = h("div", {});

  async function invite() {
    const judges = names.value.split("\n").map((name) => name.trim()).filter(Boolean);
    if (!judges.length) return names.focus();
    const answer = await post(api("/invite"), { judges });
    names.value = "";
    fill(links, showLinks(answer.links));
    announce(`${count(answer.links.length, "link")} made.`);
    return show();
  }

  async function revoke(judge) {
    const sure = await ask(`Revoke ${judge.name}?`, h("p", {}, "The link stops working at once and open tasks go to others. What was submitted stays; whether it counts is decided when you freeze."), [
      { value: "yes", text: "Revoke" },
      { value: null, text: "Cancel", main: true },
    ]);
    if (sure !== "yes") return;
    await post(api(`/judges/${judge.id}/revoke`));
    await show();
  }

  async function show() {
    const { judges } = await get(api("/judges"));
    const tag = ({ state }) => h("span", { class: `tag ${STATES[state]?.[0] ?? ""}` }, STATES[state]?.[1] ?? state);
    fill(
      list,
      h("h2", {}, count(judges.length, "judge")),
      judges.length
        ? table(
            [
              ["Judge", (judge) => [h("span", { dir: "auto" }, judge.name), judge.kind === "model" ? h("span", { class: "soft small" }, " model") : ""]],
              ["State", tag],
              ["Submitted", (judge) => String(judge.submitted ?? 0), true],
              ["In progress", (judge) => String(judge.active ?? 0), true],
              ["Last seen", (judge) => ago(judge.last_seen)],
              ["", (judge) => (judge.state === "revoked" || judge.state === "withdrawn" ? "" : doing("Revoke", () => revoke(judge), { class: "danger", "aria-label": `Revoke ${judge.name}` }))],
            ],
            judges,
            "Judges",
          )
        : h("p", { class: "soft" }, "Nobody has been invited yet."),
    );
  }

  fill(
    main,
    h("h1", {}, "Judges"),
    links,
    h("section", { class: "panel" }, h("h2", {}, "Invite"), field("Names, one per line", names, "A personal link is made for each new name; a name that is there already gets a new link, and the old one stops working."), h("p", { class: "buttons" }, doing("Make links", invite, { class: "main" }))),
    h("section", { class: "panel" }, list),
  );
  await show();
});
