// A judging page: the bar, the board of its kind, undo, saving, submitting.

import { get, Offline, post, root } from "./api.js";
import { Clock } from "./clock.js";
import { announce, fill, find, h } from "./dom.js";
import { askNote, compare, feedback, guidelines } from "./dialogs.js";
import { notices } from "./notices.js";
import { startWorker } from "./offline.js";
import { status, Sync } from "./sync.js";

const KINDS = {
  order: () => import("./order.js"),
  group: () => import("./group.js"),
  score: () => import("./score.js"),
  vote: () => import("./vote.js"),
};
const VERBS = {
  order: "Put these in order, best first",
  group: "Group what belongs together",
  score: "Score each one",
  vote: "Which one is better?",
};
const { study, credential, assignment } = document.documentElement.dataset;
const page = find("#page");

class Task {
  #past = [];
  #future = [];
  #dirty = false;
  #writing = null;
  #asking = false;
  #handing = false; // the judge pressed submit on this page

  constructor(task, kind, sync, record) {
    Object.assign(this, { task, kind, sync, record });
    this.state = record.state;
    this.rev = record.rev;
    this.answered = record.answer?.op;
    this.clock = new Clock(record.elapsed);
    this.board = kind.board(task, { change: (state, words) => this.change(state, words), state: () => this.state });
    this.#lay();
    sync.addEventListener(
      "record",
      ({ record: news, foreign }) => news?.assignment === assignment && this.#heard(news, foreign),
    );
    sync.addEventListener("link", () => this.#tell());
    addEventListener("keydown", (event) => this.#key(event));
    document.addEventListener("visibilitychange", () => document.hidden || this.#refresh());
    addEventListener("pageshow", (event) => event.persisted && this.#refresh());
    this.draw();
  }

  #lay() {
    const { task } = this;
    this.parts = {
      progress: h("progress", { "aria-label": "Judged so far" }),
      count: h("span", { class: "count" }),
      status: h("span", { class: "status" }),
      undo: h("button", { type: "button", onclick: () => this.undo(), title: "Undo (Ctrl+Z)" }, "Undo"),
      redo: h("button", { type: "button", onclick: () => this.redo(), title: "Redo (Ctrl+Shift+Z)" }, "Redo"),
      notices: h("div", { "aria-live": "polite" }),
      lacking: h("p", { class: "warn small", id: "lacking" }),
      submit: h(
        "button",
        { type: "button", class: "main", onclick: () => this.submit() },
        task.training ? "Check my answer" : "Submit and go on",
      ),
    };
    const { parts } = this;
    const spoken = (task.rules ?? []).filter((rule) => rule.text).map((rule) => rule.text);
    const keys = this.kind
      .keys(task)
      .map((row) => [row.slice(0, -1).flatMap((key, n) => [n ? " " : "", h("kbd", {}, key)]), ` ${row.at(-1)}`]);
    const guide = task.guidelines_html
      ? h("button", { type: "button", onclick: () => guidelines(task) }, "Guidelines")
      : null;
    fill(
      page,
      h(
        "header",
        { class: "bar" },
        h("h1", {}, task.title || VERBS[task.kind]),
        parts.progress,
        parts.count,
        parts.status,
        h("span", { class: "tools" }, parts.undo, parts.redo, guide),
      ),
      h(
        "main",
        { class: task.kind === "score" || task.kind === "vote" ? "" : "wide" },
        task.training
          ? h(
              "p",
              { class: "notice" },
              "Practice: this task is for learning and does not count. You will see how your answer compares.",
            )
          : null,
        task.settings?.prompt || task.title
          ? h("p", { class: "prompt", dir: "auto" }, task.settings?.prompt || `${VERBS[task.kind]}.`)
          : null,
        spoken.length
          ? h(
              "ul",
              { class: "soft small" },
              spoken.map((text) => h("li", { dir: "auto" }, text)),
            )
          : null,
        parts.notices,
        this.board.element,
        h(
          "div",
          { class: "finish" },
          parts.lacking,
          h(
            "p",
            { class: "buttons" },
            parts.submit,
            h("a", { class: "button", href: `${root}/judge` }, "Back to the list"),
            h("button", { type: "button", onclick: () => this.#note() }, "Note to the lead"),
          ),
        ),
        h(
          "p",
          { class: "keys" },
          task.kind === "order" || task.kind === "group" ? "Keys on a focused card: " : "Keys: ",
          keys.flatMap((part, n) => (n ? [", ", ...part] : part)),
          ". Every change is saved at once.",
        ),
      ),
    );
  }

  get locked() {
    return Boolean(this.record.submitted || this.record.closed || this.record.submit);
  }

  change(state, words) {
    if (this.locked) return;
    this.#past.push(this.state);
    if (this.#past.length > 500) this.#past.shift();
    this.#future = [];
    this.#put(state, words);
  }

  undo() {
    if (!this.#past.length || this.locked) return;
    this.#future.push(this.state);
    this.#put(this.#past.pop(), "Undone.");
  }

  redo() {
    if (!this.#future.length || this.locked) return;
    this.#past.push(this.state);
    this.#put(this.#future.pop(), "Done again.");
  }

  #put(state, words) {
    this.state = state;
    this.#dirty = true;
    this.draw();
    if (words) announce(words);
    this.#writing ??= this.#write().finally(() => {
      this.#writing = null;
      this.#tell();
    });
  }

  /** One write at a time, each built on the one before; a faster tab is never overwritten. */
  async #write() {
    while (this.#dirty) {
      this.#dirty = false;
      const { record, stale } = await this.sync.change(assignment, this.state, this.rev, this.clock.elapsed());
      if (stale) await this.#overtaken(stale);
      else this.#hold(record);
    }
  }

  #hold(record) {
    this.rev = record.rev;
    this.record = record;
  }

  /** Whatever is not chosen can be had back by Undo. */
  async #overtaken(record) {
    const mine = this.state;
    const which = await this.#ask(record.state, mine, "Another tab of this browser changed this task.");
    this.#past.push(which === "mine" ? record.state : mine);
    if (which !== "mine") return this.#adopt(record, "The other version is shown.");
    this.#hold(record);
    return this.#put(mine, "Your version is kept.");
  }

  #adopt(record, words) {
    this.#hold(record);
    this.state = record.state;
    this.draw();
    if (words) announce(words);
  }

  #heard(record, foreign) {
    if (record.rev > this.rev && !this.#writing) this.#adopt(record, foreign ? "Changed in another tab." : "");
    else {
      this.record = record;
      this.#tell();
    }
    if (record.conflict && !this.#asking) this.#choose();
    if (this.#handing && record.answer && record.answer.op !== this.answered) this.#answered(record);
  }

  async #choose() {
    const { head } = this.record.conflict;
    const time = head.time ? ` at ${new Date(head.time).toLocaleTimeString()}` : "";
    const which = await this.#ask(head.state, this.state, `This task was changed on another device or browser${time}.`);
    if (!which) return this.#tell();
    if (which === "theirs") this.#past.push(this.state);
    this.#adopt(
      await this.sync.choose(assignment, which),
      which === "mine" ? "Your version is kept." : "The other version is shown.",
    );
  }

  async #ask(theirs, mine, why) {
    this.#asking = true;
    const which = await compare(this.kind, this.task, theirs, mine, why);
    this.#asking = false;
    return which;
  }

  draw() {
    this.board.draw(this.state);
    this.#tell();
  }

  #tell() {
    const { parts, record, task, state } = this;
    const { done, total } = this.kind.progress(task, state);
    const ahead = this.#dirty || this.#writing ? { ...record, rev: Math.max(record.rev, this.rev + 1) } : record; // shown, not on the device yet
    const [name, words] = status(ahead, this.sync.link, this.sync.device.lasting);
    parts.progress.max = total || 1;
    parts.progress.value = done;
    parts.count.textContent = `${done} of ${total}`;
    if (parts.status.textContent !== words) {
      parts.status.textContent = words;
      parts.status.className = `status ${name}`;
      if (["offline", "signed-out", "refused", "closed"].includes(name)) announce(words);
    }
    parts.undo.disabled = !this.#past.length || this.locked;
    parts.redo.disabled = !this.#future.length || this.locked;
    this.board.element.inert = this.locked;
    parts.submit.hidden = this.locked;
    const lacking = this.kind.lacking(task, state);
    parts.lacking.textContent = this.locked ? "" : lacking;
    const key = JSON.stringify([name, record.refused, record.closed, record.submit, record.submitted]);
    if (key === this.noticed) return;
    this.noticed = key;
    fill(
      parts.notices,
      notices(name, record, this.sync, {
        choose: () => this.#choose(),
        reopen: task.training ? null : () => this.#reopen(),
      }),
    );
  }

  async submit() {
    const lacking = this.kind.lacking(this.task, this.state);
    if (lacking) {
      announce(lacking);
      return this.board.focusOpen?.(this.state) ?? this.parts.lacking.scrollIntoView({ block: "nearest" });
    }
    this.#handing = true;
    await this.#writing;
    await this.sync.submit(assignment, this.clock.elapsed());
  }

  async #answered(record) {
    this.answered = record.answer.op;
    const { state, next, training } = record.answer;
    if (training) await feedback(this.task, training);
    if (state !== "submitted") return;
    const given = next ?? (await post("/api/judge/next").catch(() => null))?.assignment?.id;
    location.href = given ? `${root}/judge/a/${given}` : `${root}/judge`;
  }

  async #reopen() {
    try {
      const { head } = await post(`/api/assignments/${assignment}/reopen`);
      await this.sync.reopened(assignment, head);
      announce("You can change your answer now.");
    } catch (error) {
      announce(error.message);
      this.parts.notices.append(h("p", { class: "problem" }, error.message, " ", error.hint));
    }
  }

  async #refresh() {
    if (this.#writing || this.record.rev > this.record.saved) return;
    try {
      const task = await get(`/api/assignments/${assignment}`);
      const record = await this.sync.load(
        assignment,
        task.head,
        this.kind.empty(this.task),
        task.state === "submitted",
      );
      if (record.rev > this.rev) this.#adopt(record, "Brought up to date.");
    } catch {
      this.#tell();
    }
  }

  #key(event) {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.target.matches("textarea, input.name")) return;
    const key = event.key.toLowerCase();
    if (key !== "z" && key !== "y") return;
    event.preventDefault();
    if (key === "y" || event.shiftKey) this.redo();
    else this.undo();
  }

  async #note() {
    const said = await askNote();
    if (!said) return;
    try {
      await post("/api/judge/note", { assignment, text: said });
      announce("Note sent.");
      this.parts.notices.prepend(h("p", { class: "notice" }, "Your note was sent to the lead."));
    } catch (error) {
      this.parts.notices.prepend(
        h(
          "div",
          { class: "problem" },
          h("p", {}, `Your note was not sent. ${error.message}`),
          h("p", { class: "soft" }, said),
        ),
      );
    }
  }
}

async function start() {
  const sync = await Sync.open(study, credential);
  const key = [...sync.prefix, assignment];
  let task;
  let head;
  try {
    task = await get(`/api/assignments/${assignment}`);
    head = task.head ?? null;
    await sync.device.update("tasks", key, () => ({ task }));
  } catch (error) {
    const held = await sync.device.get("tasks", key);
    if (!held || (error.status && error.status < 500 && error.status !== 401 && error.status !== 429)) throw error;
    task = held.task;
    sync.link = error instanceof Offline ? "offline" : error.status === 401 ? "signed-out" : "busy";
  }
  const kind = await KINDS[task.kind]();
  document.title = task.title || VERBS[task.kind];
  const record = await sync.load(assignment, head, kind.empty(task), task.state === "submitted");
  const shown = new Task(task, kind, sync, record);
  if (record.conflict) shown.sync.dispatchEvent(Object.assign(new Event("record"), { record }));
  await sync.flush();
  startWorker();
}

start().catch((error) => {
  const title =
    error.status === 404 || error.status === 410
      ? "This task is not open"
      : error.status === 401 || error.status === 403
        ? "Please open your link again"
        : "This page could not be loaded";
  fill(
    page,
    h(
      "main",
      { class: "narrow" },
      h("h1", {}, title),
      h("p", {}, error.message),
      h("p", { class: "soft" }, error.hint ?? ""),
      h("p", { class: "buttons" }, h("a", { class: "button main", href: `${root}/judge` }, "Back to the list")),
    ),
  );
});
