// Keeps the shell of the seat, so that an installed one opens at once; what a table shows is never kept.
"use strict";

const SHELL = "rabble-seat-1";
const scope = /** @type {any} */ (self);

scope.addEventListener("install", () => scope.skipWaiting());
scope.addEventListener("activate", (event) => event.waitUntil(scope.clients.claim()));
scope.addEventListener("fetch", (event) => {
  const { pathname, origin } = new URL(event.request.url);
  const isShell = pathname === "/seat" || pathname.startsWith("/static/") || pathname === "/words/seat";
  if (event.request.method !== "GET" || origin !== location.origin || !isShell) return;
  event.respondWith(fresh(event.request));
});

/** The server's own is used whenever it answers: a kept one may be of an older version. */
async function fresh(request) {
  const kept = await caches.open(SHELL);
  try {
    const answer = await fetch(request);
    if (answer.ok) await kept.put(request, answer.clone());
    return answer;
  } catch (failure) {
    const found = await kept.match(request, { ignoreSearch: true });
    if (found) return found;
    throw failure;
  }
}
