// The service worker: makes the page installable, and keeps the built files whose names carry a hash of their content.
// It sees no other request: not `/`, nothing of the API, and so no token either.
const CACHE = "interlingua-assets";
/** A few builds. The oldest go first. */
const MAX_FILES = 400;

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  const { origin, pathname, search } = new URL(url);
  const isAsset = /^\/assets\/[\w-]+(?:\.[\w-]+)+$/.test(pathname) && search === "";
  if (method !== "GET" || origin !== self.location.origin || !isAsset) return;
  event.respondWith(fromCache(event));
});

// Pressing a notification leads to its session, in a tab that is open or in a new one.
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(show(String(event.notification.data?.link ?? "#/")));
});

async function show(link) {
  const [open] = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  if (!open) return self.clients.openWindow(`/${link}`);
  await open.focus();
  open.postMessage({ open: link });
}

async function fromCache(event) {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(event.request.url);
  if (kept) return kept;
  const response = await fetch(event.request);
  if (response.status === 200) event.waitUntil(keep(cache, event.request.url, response.clone()));
  return response;
}

async function keep(cache, url, response) {
  try {
    await cache.put(url, response);
    const files = await cache.keys();
    for (const file of files.slice(0, Math.max(0, files.length - MAX_FILES))) await cache.delete(file);
  } catch {
    // There is no room: the browser's own cache has it too.
  }
}
