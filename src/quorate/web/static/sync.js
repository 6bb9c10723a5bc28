// Saving. A change is on this device before anything else happens, then goes to the server; "saved" means committed there.
//
// A record: `state` and its number `rev` here; `seq` of the server's head it builds on; `saved`, the rev the server holds;
// `sending`, the operation whose outcome is not known yet (repeated with the same id until it is); `conflict`, `refused`,
// `closed`: why it does not go out; `submit`: the judge said it is done.

import { call, Offline, Problem, server } from "./api.js";
import { deviceName, openDevice, uuid7 } from "./device.js";

const PAUSE = 250; // ms after the last change before it is sent
const LONGEST = 30000; // ms between two attempts

export class Sync extends EventTarget {
  link = "online"; // online | offline | signed-out | busy
  #timer = null;
  #waits = 0;
  #running = null;
  #again = false;

  static async open(study, credential) {
    return new Sync(await openDevice(), [server, study, credential]);
  }

  constructor(device, prefix) {
    super();
    this.device = device;
    this.prefix = prefix;
    this.name = deviceName();
    const room = `quorate ${prefix.join(" ")}`;
    this.room = room;
    this.channel = typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel(room);
    if (this.channel) this.channel.onmessage = ({ data }) => this.#tell(data, true);
    addEventListener("online", () => this.flush());
    addEventListener("pageshow", (event) => event.persisted && this.flush());
    document.addEventListener("visibilitychange", () => this.flush());
  }

  #key(assignment) {
    return [...this.prefix, assignment];
  }

  /** Listeners hear of every new record of an assignment, from this tab or another. */
  #tell(record, foreign = false) {
    this.dispatchEvent(Object.assign(new Event("record"), { record, foreign }));
    if (!foreign) this.channel?.postMessage(record);
  }

  #hear(record) {
    this.dispatchEvent(Object.assign(new Event("record"), { record, foreign: false }));
  }

  #setLink(link) {
    if (this.link === link) return;
    this.link = link;
    this.dispatchEvent(new Event("link"));
  }

  async #update(assignment, change) {
    const record = await this.device.update("work", this.#key(assignment), change);
    this.#tell(record);
    return record;
  }

  /** Records of this judge on this device. */
  records() {
    return this.device.all("work", this.prefix);
  }

  /** The record of an assignment, brought together with the server's head (undefined when the server was not asked). */
  async load(assignment, head, empty, submitted = false) {
    return this.#update(assignment, (record) => {
      const seq = head?.seq ?? 0;
      if (!record) {
        return {
          assignment,
          state: head?.state ?? empty,
          rev: 0,
          saved: 0,
          seq,
          elapsed: 0,
          sending: null,
          conflict: null,
          refused: null,
          closed: false,
          submit: null,
          submitted,
        };
      }
      if (head === undefined) return undefined;
      if (record.saved < record.rev || record.sending || record.conflict) return undefined; // ours goes out first, the server decides
      const same = { ...record, closed: false, submitted: record.submit ? record.submitted : submitted };
      if (seq <= record.seq) return same; // an answer older than what this device has heard since
      return { ...same, state: head?.state ?? empty, seq, rev: record.rev + 1, saved: record.rev + 1 };
    });
  }

  /** A new state made from the state numbered `rev`. Null if another tab was faster: then nothing is written. */
  async change(assignment, state, rev, elapsed) {
    let stale = false;
    const record = await this.#update(assignment, (held) => {
      stale = held.rev !== rev;
      return stale
        ? undefined
        : { ...held, state, rev: rev + 1, elapsed: Math.max(held.elapsed, elapsed), submit: null };
    });
    this.#soon(PAUSE);
    return stale ? { stale: record } : { record };
  }

  /** Says the task is done: sent after the state, repeated under one id until the server answers. */
  async submit(assignment, elapsed) {
    await this.#update(assignment, (held) => ({
      ...held,
      submit: { op: held.submit?.op ?? uuid7() },
      refused: null,
      elapsed: Math.max(held.elapsed, elapsed),
    }));
    return this.flush();
  }

  /** After a conflict: the judge's choice between both states. */
  async choose(assignment, which) {
    const record = await this.#update(assignment, (held) => {
      if (!held.conflict) return undefined;
      const { head } = held.conflict;
      const base = { ...held, seq: head.seq, conflict: null, sending: null, refused: null, rev: held.rev + 1 };
      return which === "mine" ? base : { ...base, state: head.state, saved: held.rev + 1 };
    });
    this.#soon(0);
    return record;
  }

  /** A submitted task is open for changes again (the server agreed). */
  reopened(assignment, head) {
    return this.#update(assignment, (held) => ({
      ...held,
      seq: head?.seq ?? held.seq,
      submitted: false,
      closed: false,
      submit: null,
    }));
  }

  #soon(wait) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.flush(), wait);
  }

  /** Sends what is waiting, one tab of the device at a time. */
  flush() {
    clearTimeout(this.#timer);
    if (this.#running) {
      this.#again = true;
      return this.#running;
    }
    const drain = async () => {
      do {
        this.#again = false;
        await this.#drain();
      } while (this.#again);
    };
    const held = navigator.locks ? navigator.locks.request(this.room, drain) : drain(); // no locks on plain http: ids still keep it single
    this.#running = held.finally(() => (this.#running = null));
    return this.#running;
  }

  async #drain() {
    for (const { assignment } of await this.records()) {
      try {
        while (await this.#step(assignment));
        this.#hear(await this.device.get("work", this.#key(assignment))); // another tab may have sent it
      } catch (error) {
        if (!(error instanceof Offline) && !(error instanceof Problem)) throw error;
        return this.#stopped(error);
      }
    }
    this.#waits = 0;
  }

  #stopped(error) {
    const gone = error instanceof Problem && (error.status === 401 || error.status === 403);
    this.#setLink(gone ? "signed-out" : error instanceof Offline ? "offline" : "busy");
    this.#waits += 1;
    const wait = error.wait ? error.wait * 1000 : Math.min(LONGEST, 1000 * 2 ** Math.min(this.#waits - 1, 5));
    this.#soon(gone ? LONGEST : wait);
  }

  /** One request for one record; true if there may be more to send. Throws what concerns all records alike. */
  async #step(assignment) {
    const record = await this.device.get("work", this.#key(assignment));
    if (record.conflict || record.closed) return false;
    if (record.sending || record.rev > record.saved) {
      if (!record.sending && record.refused?.rev === record.rev) return false;
      return this.#save(assignment);
    }
    return record.submit ? this.#hand(record) : false;
  }

  async #save(assignment) {
    const { sending } = await this.#update(assignment, (held) => {
      if (held.sending) return undefined;
      const operation = {
        op: uuid7(),
        rev: held.rev,
        base_seq: held.seq,
        state: held.state,
        elapsed_ms: Math.round(held.elapsed),
        client_time: Date.now(),
      };
      return { ...held, sending: operation };
    });
    const { op, rev, ...body } = sending;
    const settle = (change) =>
      this.#update(assignment, (held) => (held.sending?.op === op ? { ...held, sending: null, ...change } : undefined));
    try {
      const { seq } = await call(
        "PUT",
        `/api/assignments/${assignment}/events/${op}`,
        { ...body, device: this.name },
        { keepalive: true },
      );
      await settle({ seq, saved: rev, refused: null });
      this.#setLink("online");
      return true;
    } catch (error) {
      await this.#aside(error, rev, settle, sending.state);
      return false;
    }
  }

  async #hand({ assignment, submit, seq, rev }) {
    const settle = (change) =>
      this.#update(assignment, (held) =>
        held.submit?.op === submit.op ? { ...held, submit: null, ...change } : undefined,
      );
    try {
      const answer = await call("POST", `/api/assignments/${assignment}/submit`, { op: submit.op, base_seq: seq });
      await settle({
        seq: answer.seq ?? seq,
        submitted: answer.state === "submitted",
        answer: { ...answer, op: submit.op },
        refused: null,
      });
      this.#setLink("online");
    } catch (error) {
      await this.#aside(error, rev, settle, null);
    }
    return false;
  }

  /** A record that the server will not take steps aside, and the others go on. What is not about the record is thrown. */
  async #aside(error, rev, settle, mine) {
    if (!(error instanceof Problem)) throw error;
    const { status, body, message, hint } = error;
    if (status === 409 && body.head) await settle({ conflict: { head: body.head, mine } });
    else if (status === 410) await settle({ closed: message });
    else if ([400, 404, 409, 413, 422].includes(status)) {
      await settle({
        refused: { rev, errors: error.errors.length ? error.errors : [{ where: "", fact: message, hint }] },
      });
    } else throw error;
    this.#setLink("online");
  }

  /** Asks again after the judge has signed in once more or pressed "try again". */
  retry() {
    this.#waits = 0;
    return this.flush();
  }
}

/** What the bar says of a record: [name, words]. */
export function status(record, link, lasting = true) {
  const waiting = record.rev - record.saved;
  const kept = lasting ? "kept on this device" : "kept only while this page is open";
  const changes = `${waiting} ${waiting === 1 ? "change" : "changes"}`;
  if (record.conflict) return ["conflict", "Changed elsewhere: choose which to keep"];
  if (record.closed) return ["closed", waiting ? `Closed: ${changes} not taken, ${kept}` : "Closed"];
  if (record.refused?.rev === record.rev)
    return ["refused", waiting ? `Not taken by the server; ${kept}` : "Not finished yet"];
  if (!waiting && !record.submit)
    return record.submitted
      ? ["saved", "Submitted"]
      : record.seq
        ? ["saved", "Saved on the server"]
        : ["untouched", "Nothing to save yet"];
  if (link === "signed-out") return ["signed-out", `Signed out: ${waiting ? changes : "your answer is"} ${kept}`];
  if (link === "offline")
    return ["offline", waiting ? `Offline: ${changes} ${kept}` : `Offline: will be submitted later`];
  if (link === "busy") return ["offline", `The server is busy: ${waiting ? changes : "your answer is"} ${kept}`];
  return ["saving", record.submit ? "Submitting…" : "Saving…"];
}
