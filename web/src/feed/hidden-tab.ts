/**
 * A browser opens at most six connections to a daemon over all tabs, and each tab holds one for its feed. So hidden
 * tabs release theirs, all but one, which keeps counting open asks in its title.
 */

const PATIENCE_MS = 20_000;
const LOCK = "interlingua.hidden-feed";

/**
 * Calls `release` once the tab has been hidden for a while and another hidden tab has the feed. Returns a function that
 * stops it.
 */
export function releaseWhenHidden(release: () => void): () => void {
  const stopped = new AbortController();
  const { signal } = stopped;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let giveBack: (() => void) | undefined;

  async function decide(): Promise<void> {
    // Available only if the page is loaded from localhost or over TLS.
    if (!navigator.locks) return;
    await navigator.locks.request(LOCK, { ifAvailable: true }, (lock) => {
      if (signal.aborted || !document.hidden) return;
      if (!lock) return release();
      return new Promise<void>((done) => {
        giveBack = done;
      });
    });
  }

  function onChange(): void {
    clearTimeout(timer);
    giveBack?.();
    giveBack = undefined;
    if (document.hidden) timer = setTimeout(() => void decide(), PATIENCE_MS);
  }

  document.addEventListener("visibilitychange", onChange, { signal });
  onChange();
  return () => {
    stopped.abort();
    clearTimeout(timer);
    giveBack?.();
  };
}

/** Resolves when the tab becomes visible, or when `signal` is aborted. */
export function untilVisible(signal: AbortSignal): Promise<void> {
  if (!document.hidden || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const seen = new AbortController();
    const done = () => {
      if (document.hidden && !signal.aborted) return;
      seen.abort();
      resolve();
    };
    document.addEventListener("visibilitychange", done, { signal: seen.signal });
    signal.addEventListener("abort", done, { signal: seen.signal });
  });
}
