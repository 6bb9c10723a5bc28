// Adjudication: the worst disagreement first; the lead's decision is a judgment of its own with a reason.

import { get, post } from "../api.js";
import { announce, count, fill, h } from "../dom.js";
import { api, doing, field, KINDS, problem, start, when } from "./lead.js";

const MODULES = {
  order: () => import("../order.js"),
  group: () => import("../group.js"),
  score: () => import("../score.js"),
  vote: () => import("../vote.js"),
};
const several = (tasks) => new Set(tasks.map(({ kind }) => kind)).size > 1;
const number = (value) => (typeof value === "number" ? value.toFixed(2) : "");

start(async (main) => {
  async function list() {
    const { tasks } = await get(api("/adjudication"));
    const entry = (task) =>
      h(
        "li",
        {},
        h(
          "div",
          { class: "task" },
          h(
            "span",
            {},
            h("b", { dir: "auto" }, task.title),
            " ",
            several(tasks) ? h("span", { class: "tag" }, KINDS[task.kind]) : null,
            h("br"),
            h(
              "span",
              { class: "soft small" },
              task.text ?? `disagreement ${number(task.disagreement)}`,
              ` · ${count(task.judgments.length, "judgment")}`,
            ),
            task.decided
              ? h("div", { class: "small ok" }, `Decided ${when(task.decided.time)}: ${task.decided.reason}`)
              : null,
          ),
          h(
            "button",
            {
              type: "button",
              onclick: () => open(task),
              "aria-label": `${task.decided ? "Decide again" : "Decide"}: ${task.title}${several(tasks) ? `, ${KINDS[task.kind]}` : ""}`,
            },
            task.decided ? "Decide again" : "Decide",
          ),
        ),
      );
    fill(
      main,
      h("h1", { tabindex: -1 }, "Adjudicate"),
      h(
        "p",
        { class: "soft" },
        "The tasks on which judges disagree most come first. Your decision is stored as a judgment of its own, with your reason; nothing that a judge said is changed.",
      ),
      tasks.length
        ? h("ol", { class: "tasks" }, tasks.map(entry))
        : h("p", { class: "panel" }, "Nothing to adjudicate yet: a task needs two submitted judgments."),
    );
  }

  async function open(task) {
    const kind = await MODULES[task.kind]();
    let state = task.suggestion ?? kind.empty(task);
    const past = [];
    const reason = h("textarea", { rows: 3, dir: "auto", required: true });
    const said = h("div", {});
    const undo = h("button", { type: "button", disabled: true, onclick: () => past.length && put(past.pop()) }, "Undo");
    const change = (next, words) => {
      past.push(state);
      put(next);
      if (words) announce(words);
    };
    const board = kind.board(task, { change, state: () => state });
    function put(next) {
      state = next;
      board.draw(state);
      undo.disabled = !past.length;
    }

    async function decide() {
      const lacking = kind.lacking(task, state);
      if (lacking) return fill(said, problem({ message: lacking.replace(/ You can go on.*/, "") }));
      if (!reason.value.trim())
        return (
          reason.focus(),
          fill(said, problem({ message: "Please give a reason: it is published with the decision." }))
        );
      await post(api("/adjudication"), { task: task.id, state, reason: reason.value.trim() });
      announce("Decision stored.");
      await list();
      return main.querySelector("h1").focus();
    }

    fill(
      main,
      h("p", {}, h("button", { type: "button", class: "more", onclick: () => list() }, "← All tasks")),
      h("h1", { tabindex: -1, dir: "auto" }, task.title),
      task.text ? h("p", { class: "soft" }, task.text) : null,
      h("h2", {}, "What judges said"),
      h(
        "div",
        { class: "both said" },
        task.judgments.map((judgment) =>
          h("section", {}, h("h3", { dir: "auto" }, judgment.judge), kind.describe(task, judgment.state)),
        ),
      ),
      h("h2", {}, "Your decision"),
      task.suggestion
        ? h("p", { class: "notice" }, "It begins with the judges' consensus. Change what you would decide otherwise.")
        : null,
      h("p", { class: "buttons" }, undo),
      board.element,
      field("Reason", reason, "Stored and published with the decision."),
      said,
      h("p", { class: "buttons" }, doing("Store the decision", decide, { class: "main" })),
    );
    put(state);
    main.querySelector("h1").focus();
  }

  await list();
});
