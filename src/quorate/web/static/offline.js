// The service worker keeps the pages themselves, so that a task can be opened again with no network. Judgments never depend on it.

import { root } from "./api.js";

export async function startWorker() {
  if (!navigator.serviceWorker) return; // plain http
  try {
    await navigator.serviceWorker.register(`${root}/worker.js`, { scope: `${root}/` });
    await navigator.serviceWorker.ready;
    if (!navigator.serviceWorker.controller || !(await caches.match(location.pathname)))
      await (await caches.open("quorate-pages")).add(location.pathname);
    document.documentElement.dataset.offline = "ready";
  } catch {
    // without it, pages need the network to open; what was judged is kept all the same
  }
}
