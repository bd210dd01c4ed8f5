/** The service worker of the built page. Browsers have one only for pages from localhost or over TLS. */
export function registerServiceWorker(): void {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  // Not before the page is there: it would take part of the connection from it.
  const register = () => navigator.serviceWorker.register("/sw.js").catch(() => {});
  if (document.readyState === "complete") void register();
  else addEventListener("load", register, { once: true });
}
