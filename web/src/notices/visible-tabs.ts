/** Whether the page is looked at in any tab: who sees it needs no notification. */

const LOCK = "interlingua.visible";

/** Holds a lock that all tabs share while this one is visible. Returns a function that stops it. */
export function announceVisible(): () => void {
  if (!navigator.locks) return () => {};
  const stopped = new AbortController();
  let hide: (() => void) | undefined;
  function onChange(): void {
    if (document.hidden) {
      hide?.();
      hide = undefined;
    } else if (!hide) {
      const { promise, resolve } = Promise.withResolvers<void>();
      hide = resolve;
      navigator.locks.request(LOCK, { mode: "shared" }, () => promise).catch(() => {});
    }
  }
  document.addEventListener("visibilitychange", onChange, { signal: stopped.signal });
  onChange();
  return () => {
    stopped.abort();
    hide?.();
  };
}

export async function isVisibleAnywhere(): Promise<boolean> {
  if (!document.hidden) return true;
  const { held = [] } = (await navigator.locks?.query()) ?? {};
  return held.some(({ name }) => name === LOCK);
}
