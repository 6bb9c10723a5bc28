// Calls to the server. A problem is an error with the server's own fact and hint; no answer at all is Offline.

const page = document.documentElement.dataset;

export const root = page.root ?? "";
export const server = location.origin + root;

let csrf = document.querySelector('meta[name="csrf"]')?.content ?? "";

/** The server answered, and the answer is not what was asked for. */
export class Problem extends Error {
  constructor(status, body, wait) {
    super(body?.error ?? `The server answered with an error (${status}).`);
    this.status = status;
    this.body = body ?? {};
    this.hint = body?.hint ?? "";
    this.errors = body?.errors ?? [];
    this.wait = wait; // seconds, where the server said when to come back
  }
}

/** The server did not answer. */
export class Offline extends Error {
  constructor() {
    super("The server cannot be reached.");
    this.status = 0;
    this.hint = "Check your connection, then try again.";
    this.errors = [];
  }
}

/** One request; JSON in, JSON out, null for 204. */
export async function call(method, path, body, { keepalive = false } = {}) {
  const headers = { Accept: "application/json" };
  if (page.credential) headers["X-Credential"] = page.credential;
  if (method !== "GET") headers["X-CSRF"] = csrf;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const text = body === undefined ? undefined : JSON.stringify(body);
  let response, answer;
  try {
    response = await fetch(root + path, {
      method,
      headers,
      body: text,
      keepalive: keepalive && (text?.length ?? 0) < 60000,
      cache: "no-store",
    });
    if (response.status === 204) return null;
    answer = await response.text();
  } catch {
    throw new Offline();
  }
  let json;
  try {
    json = JSON.parse(answer);
  } catch {
    json = undefined;
  }
  if (json?.csrf) csrf = json.csrf;
  if (!response.ok) throw new Problem(response.status, json, Number(response.headers.get("Retry-After")) || undefined);
  if (json === undefined) throw new Offline(); // something between us and the server answered
  return json;
}

export const get = (path) => call("GET", path);
export const post = (path, body = {}) => call("POST", path, body);
