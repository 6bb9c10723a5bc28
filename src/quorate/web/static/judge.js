// Where a judge arrives: consent, guidelines, the list of tasks, and the code at the end.

import { get, Offline, post, root } from "./api.js";
import { announce, ask, count, fill, find, h, prose } from "./dom.js";
import { startWorker } from "./offline.js";
import { Sync } from "./sync.js";

const { study, credential } = document.documentElement.dataset;
const page = find("#page");
const KINDS = { order: "Put in order", group: "Group", score: "Score", vote: "Compare" };
const STATES = {
  offered: ["", "Not started"],
  active: ["now", "In progress"],
  submitted: ["done", "Submitted"],
  expired: ["out", "Time is over"],
  excluded: ["out", "Not needed any more"],
};

const when = (time) => new Date(time).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
const message = (title, ...content) => fill(page, h("main", { class: "narrow" }, h("h1", {}, title), content));
const said = (error) => h("p", { class: "problem" }, error.message, error.hint ? ` ${error.hint}` : "");

function consent(data) {
  const problem = h("div", { role: "alert" });
  const agree = async () => {
    try {
      await post("/api/judge/consent");
      await show();
      announce("Thank you.");
    } catch (error) {
      fill(problem, said(error));
    }
  };
  const refuse = () =>
    message(
      "Thank you",
      h(
        "p",
        {},
        "You have not agreed, so nothing is asked of you and nothing was recorded. You can close this page; should you change your mind, open your link again.",
      ),
    );
  message(
    data.study.title,
    h("h2", {}, "Before you begin"),
    h("div", { class: "panel" }, prose(data.study.consent_html)),
    problem,
    h(
      "p",
      { class: "buttons" },
      h("button", { class: "main", onclick: agree }, "I agree"),
      h("button", { onclick: refuse }, "I do not agree"),
    ),
  );
}

async function withdraw() {
  const sure = await ask(
    "Withdraw from this study?",
    h(
      "p",
      {},
      "Your answers are erased and will not be used. This cannot be undone. If you only want to stop for now, just close this page: everything is kept.",
    ),
    [
      { value: null, text: "Stay in the study", main: true },
      { value: "yes", text: "Withdraw and erase my answers" },
    ],
  );
  if (sure !== "yes") return;
  try {
    await post("/api/judge/withdraw");
    navigator.serviceWorker?.controller?.postMessage("forget");
    await show();
  } catch (error) {
    find("main").prepend(said(error));
  }
}

async function another() {
  try {
    const answer = await post("/api/judge/next");
    const given = answer?.assignment;
    if (given) location.href = `${root}/judge/a/${given.id ?? given}`;
    else await show("There is nothing more to judge at the moment. Thank you.");
  } catch (error) {
    find("main").prepend(said(error));
  }
}

/** Words at the head of the page that say how things stand. */
function standing(data) {
  const { study: about, assignments } = data;
  const open = assignments.filter((task) => ["offered", "active"].includes(task.state));
  if (data.completion?.code)
    return h(
      "section",
      { class: "panel" },
      h("h2", {}, "You have finished. Thank you!"),
      h("p", {}, "This is your completion code. Please copy it to where you were asked for it."),
      h("p", {}, h("span", { class: "code" }, data.completion.code)),
    );
  if (data.status === "closed")
    return h(
      "div",
      { class: "notice warning" },
      h("p", {}, "This study is closed. What you have submitted is stored; thank you."),
    );
  if (data.status === "paused" || about.paused)
    return h(
      "div",
      { class: "notice warning" },
      h("p", {}, "The study is paused. What you do is kept; new tasks will be handed out when it goes on."),
    );
  if (data.status === "full" && !assignments.length)
    return h(
      "div",
      { class: "notice" },
      h("p", {}, h("b", {}, "This study already has all the judges it needs.")),
      h(
        "p",
        {},
        "Thank you for coming! There is nothing for you to do. If you were promised payment or credit, please tell whoever sent you the link.",
      ),
    );
  if (!open.length && !data.more && assignments.length)
    return h("div", { class: "notice" }, h("p", {}, "You have done everything that was asked of you. Thank you!"));
  return null;
}

function list(data, kept) {
  const { study: about, assignments } = data;
  const done = assignments.filter((task) => task.state === "submitted").length;
  const open = assignments.filter((task) => ["offered", "active"].includes(task.state));
  const working = !["closed", "withdrawn", "revoked"].includes(data.status);
  const start = open.find((task) => task.training) ?? open.find((task) => task.state === "active") ?? open[0];
  const entry = (task, n) => {
    const [look, words] = STATES[task.state] ?? ["", task.state];
    const waiting = kept.get(task.id);
    const usable = ["offered", "active", "submitted"].includes(task.state);
    const line = [
      h(
        "span",
        {},
        h("b", { dir: "auto" }, task.title || `${KINDS[task.kind]} ${n + 1}`),
        h(
          "span",
          { class: "soft small" },
          ` ${KINDS[task.kind]} · ${count(task.items, task.kind === "vote" ? "pair" : "item")}${task.training ? " · practice" : ""}`,
        ),
      ),
      waiting
        ? h("span", { class: "tag out" }, `${count(waiting, "change")} not sent yet`)
        : h("span", { class: `tag ${look}` }, words),
    ];
    return h(
      "li",
      {},
      usable
        ? h("a", { class: "task", href: `${root}/judge/a/${task.id}` }, line)
        : h("div", { class: "task soft" }, line),
    );
  };
  return [
    h("h1", { dir: "auto" }, about.title),
    h(
      "p",
      { class: "soft" },
      data.judge.name ? `You are judging as ${data.judge.name}. ` : "",
      about.deadline ? `Open until ${when(about.deadline)}. ` : "",
      assignments.length ? `${done} of ${count(assignments.length, "task")} submitted.` : "",
    ),
    standing(data),
    about.guidelines_html
      ? h(
          "details",
          { class: "panel", open: done === 0 },
          h("summary", {}, h("b", {}, "Guidelines")),
          prose(about.guidelines_html),
        )
      : null,
    working && start
      ? h(
          "p",
          { class: "buttons" },
          h(
            "a",
            { class: "button main", href: `${root}/judge/a/${start.id}` },
            start.training ? "Begin with practice" : done || start.state === "active" ? "Go on" : "Begin",
          ),
        )
      : null,
    working && !start && data.more
      ? h(
          "p",
          { class: "buttons" },
          h("button", { class: "main", onclick: another }, assignments.length ? "Get another task" : "Begin"),
        )
      : null,
    assignments.length ? [h("h2", {}, "Your tasks"), h("ol", { class: "tasks" }, assignments.map(entry))] : null,
    h(
      "p",
      { class: "soft small" },
      "You can stop at any time and come back with the same link, on this device or another. ",
      h("button", { class: "more", onclick: withdraw }, "Withdraw from the study"),
    ),
  ];
}

async function show(words) {
  const sync = await opened;
  let data;
  try {
    data = await get("/api/judge");
    await sync.device.update("tasks", [...sync.prefix, ""], () => ({ data }));
  } catch (error) {
    if (error.status === 401 || error.status === 403)
      return message(
        "Please open your link again",
        h(
          "p",
          {},
          "You are signed out here. Open the personal link that you were sent; everything kept on this device is then saved.",
        ),
      );
    data = (await sync.device.get("tasks", [...sync.prefix, ""]))?.data;
    if (!data) return message("This page could not be loaded", said(error));
    words =
      error instanceof Offline
        ? "You are offline. Tasks that you have opened before can be opened; what you do is kept on this device."
        : error.message;
  }
  document.title = data.study.title;
  if (data.status === "withdrawn")
    return message(
      "You have withdrawn",
      h("p", {}, "Your answers were erased and are not used. Thank you for your time."),
    );
  if (data.status === "revoked")
    return message(
      "This link is no longer valid",
      h(
        "p",
        {},
        "The lead of the study has closed it. If you think this is a mistake, please write to whoever sent you the link.",
      ),
    );
  if (data.study.consent_html && !data.judge.consented) return consent(data);
  const records = await sync.records();
  const kept = new Map(
    records
      .filter((record) => record.rev > record.saved || record.submit)
      .map((record) => [record.assignment, record.rev - record.saved || 1]),
  );
  fill(
    page,
    h("main", { class: "narrow" }, words ? h("p", { class: "notice", role: "status" }, words) : null, list(data, kept)),
  );
  return undefined;
}

const opened = Sync.open(study, credential);

async function start() {
  await show();
  const sync = await opened;
  const before = (await sync.records()).filter((record) => record.rev > record.saved || record.submit).length;
  await sync.flush();
  if (before) await show();
  sync.addEventListener("record", () => {
    clearTimeout(start.timer);
    start.timer = setTimeout(() => show(), 300);
  });
  startWorker();
}

start();
