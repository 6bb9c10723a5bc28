// Network first; what was shown once can be shown again without a network. Only judges' pages and the files they need, never the API.

const CACHE = "quorate-pages";
const scope = new URL(self.registration.scope).pathname.replace(/\/$/, "");
const FILES = [
  "judge",
  "task",
  "api",
  "dom",
  "device",
  "sync",
  "clock",
  "offline",
  "drag",
  "rules",
  "fold",
  "menu",
  "order",
  "order-moves",
  "order-words",
  "dialogs",
  "notices",
  "group",
  "group-moves",
  "score",
  "vote",
];

self.addEventListener("install", (event) => {
  const files = [...FILES.map((name) => `${scope}/static/${name}.js`), `${scope}/static/workbench.css`];
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) => cache.addAll(files))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("message", async ({ data }) => {
  if (data === "forget") await caches.delete(CACHE);
});

const kept = (path) =>
  path.startsWith(`${scope}/static/`) || path === `${scope}/judge` || path.startsWith(`${scope}/judge/a/`);

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== location.origin || !kept(url.pathname)) return;
  event.respondWith(
    fetch(event.request)
      .then(async (response) => {
        if (response.ok && !response.redirected) (await caches.open(CACHE)).put(event.request, response.clone());
        return response;
      })
      .catch(async (error) => {
        const held = await caches.match(event.request);
        if (held) return held;
        throw error;
      }),
  );
});
