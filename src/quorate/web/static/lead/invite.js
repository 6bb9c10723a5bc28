// Judges of a study: invite, see how far they are, give a new link, revoke.

import { call, get, post } from "../api.js";
import { announce, ask, count, fill, h } from "../dom.js";
import { ago, api, doing, field, start, table, when } from "./lead.js";
import { showLinks } from "./links.js";

const STATES = {
  active: ["now", "active"],
  invited: ["", "invited"],
  revoked: ["out", "revoked"],
  withdrawn: ["out", "withdrawn"],
};

start(async (main) => {
  const names = h("textarea", { rows: 4, dir: "auto", placeholder: "Amy\nBob" });
  const kind = h(
    "select",
    {},
    h("option", { value: "person" }, "People"),
    h("option", { value: "model" }, "Language models"),
  );
  const links = h("div", {});
  const list = h("section", { class: "panel" });
  const out = h("section", { class: "panel" });

  async function invite() {
    const judges = names.value
      .split("\n")
      .map((name) => name.trim())
      .filter(Boolean);
    if (!judges.length) return names.focus();
    const answer = await post(api("/invite"), { judges, kind: kind.value });
    names.value = "";
    fill(links, showLinks(answer.links));
    announce(`${count(answer.links.length, "link")} made.`);
    return show();
  }

  async function revoke(judge) {
    const sure = await ask(
      `Revoke ${judge.name}?`,
      h(
        "p",
        {},
        "The link stops working at once and open tasks go to others. What was submitted stays; whether it counts is decided when you freeze.",
      ),
      [
        { value: "yes", text: "Revoke" },
        { value: null, text: "Cancel", main: true },
      ],
    );
    if (sure !== "yes") return;
    await post(api(`/judges/${judge.id}/revoke`));
    await show();
  }

  async function renew(judge) {
    const { url } = await post(api(`/judges/${judge.id}/link`));
    fill(links, showLinks([{ name: judge.name, url }]));
    scrollTo({ top: 0 });
    announce(`A new link for ${judge.name}; the one before does not work any more.`);
  }

  async function token(judge) {
    const made = await post("/api/tokens", { scopes: ["judge"], judge: judge.id, label: judge.name });
    fill(
      links,
      h(
        "section",
        { class: "panel" },
        h("h2", {}, `Token of ${judge.name}`),
        h("p", {}, "The program that judges in its name sends this. Copy it now; it is not shown again."),
        h("p", { class: "link" }, made.token),
      ),
    );
    scrollTo({ top: 0 });
    announce(`A token for ${judge.name}.`);
  }

  async function exclude(judge) {
    const reason = h("textarea", { id: "reason", rows: 3, dir: "auto" });
    const said = await ask(
      `Exclude ${judge.name}?`,
      h(
        "div",
        { class: "stack" },
        h(
          "p",
          {},
          "What this judge says is left out of every figure and of the gold standard, and stays stored. You can count it again.",
        ),
        h("label", { htmlFor: "reason" }, "Reason (published with the gold standard)"),
        reason,
      ),
      [
        { value: "yes", text: "Exclude" },
        { value: null, text: "Cancel", main: true },
      ],
    );
    if (said !== "yes") return;
    if (!reason.value.trim()) throw { message: "An exclusion needs a reason." };
    await post(api("/exclusions"), { judge: judge.id, reason: reason.value.trim() });
    await show();
  }

  async function work(judge) {
    const { assignments } = await get(api(`/judges/${judge.id}/assignments`));
    const back = async (one, button) => {
      await post(api(`/assignments/${one.id}/reopen`));
      button.replaceWith("given back");
      announce(`${one.task} is with ${judge.name} again.`);
    };
    const rows = table(
      [
        ["Task", (one) => h("span", { dir: "auto" }, one.task, one.occasion > 1 ? " (again)" : "")],
        ["State", (one) => one.state],
        [
          "",
          (one) =>
            one.state === "submitted"
              ? doing("Give back", (button) => back(one, button), { "aria-label": `Give back: ${one.task}` })
              : "",
        ],
      ],
      assignments,
      `Tasks of ${judge.name}`,
    );
    const none = h("p", { class: "soft" }, "No task was handed out yet.");
    await ask(`Tasks of ${judge.name}`, assignments.length ? rows : none, [{ value: null, text: "Close", main: true }]);
    await show();
  }

  const lift = (exclusion) => call("DELETE", api(`/exclusions/${exclusion.id}`)).then(show);

  async function platform() {
    const { url } = await post(api("/entry"));
    fill(
      links,
      h(
        "section",
        { class: "panel" },
        h("h2", {}, "Link for a platform"),
        h("p", {}, "Give this address to the platform; it puts in the participant's id."),
        h("p", { class: "link" }, url),
      ),
    );
    scrollTo({ top: 0 });
  }

  const gone = ({ state }) => state === "revoked" || state === "withdrawn";

  async function show() {
    const [{ judges }, { exclusions }] = await Promise.all([get(api("/judges")), get(api("/exclusions"))]);
    const left = new Set(exclusions.filter((one) => !one.lifted).map((one) => one.judge_id));
    const tag = ({ id, state }) =>
      left.has(id)
        ? h("span", { class: "tag out" }, "excluded")
        : h("span", { class: `tag ${STATES[state]?.[0] ?? ""}` }, STATES[state]?.[1] ?? state);
    const act = (text, action, judge, look) =>
      doing(text, () => action(judge), { class: look, "aria-label": `${text}: ${judge.name}` });
    fill(
      list,
      h("h2", {}, count(judges.length, "judge")),
      judges.length
        ? table(
            [
              [
                "Judge",
                (judge) => [
                  h("span", { dir: "auto" }, judge.name),
                  judge.kind === "model" ? h("span", { class: "soft small" }, " model") : "",
                ],
              ],
              ["State", tag],
              ["Submitted", (judge) => String(judge.submitted ?? 0), true],
              ["In progress", (judge) => String(judge.active ?? 0), true],
              ["Last seen", (judge) => ago(judge.last_seen)],
              [
                "",
                (judge) =>
                  h(
                    "div",
                    { class: "row" },
                    gone(judge) ? null : [act("New link", renew, judge), act("Revoke", revoke, judge, "danger")],
                    judge.kind === "model" && !gone(judge) ? act("Token", token, judge) : null,
                    left.has(judge.id) || judge.state === "withdrawn" ? null : act("Exclude", exclude, judge),
                    judge.state === "withdrawn" ? null : act("Tasks", work, judge),
                  ),
              ],
            ],
            judges,
            "Judges",
          )
        : h("p", { class: "soft" }, "Nobody has been invited yet."),
    );
    fill(
      out,
      h("h2", {}, "Exclusions"),
      exclusions.length
        ? table(
            [
              ["Judge", (one) => one.name ?? "one task"],
              ["Reason", (one) => h("span", { dir: "auto" }, one.reason)],
              ["Since", (one) => when(one.time)],
              [
                "",
                (one) =>
                  one.lifted
                    ? "counted again"
                    : doing("Count again", () => lift(one), { "aria-label": `Count ${one.name ?? "it"} again` }),
              ],
            ],
            exclusions,
            "Exclusions",
          )
        : h("p", { class: "soft" }, "Nobody is excluded."),
    );
  }

  fill(
    main,
    h("h1", {}, "Judges"),
    links,
    h(
      "section",
      { class: "panel" },
      h("h2", {}, "Invite"),
      h(
        "div",
        { class: "fields" },
        field("Names, one per line", names, "A personal link is made for each. Names can be pseudonyms."),
        field("They are", kind, "Models judge blind through the API, each with a token of its own."),
      ),
      h(
        "p",
        { class: "buttons" },
        doing("Make links", invite, { class: "main" }),
        doing("Link for Prolific or MTurk", platform),
      ),
    ),
    list,
    out,
  );
  await show();
});
