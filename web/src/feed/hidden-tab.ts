/**
 * A browser opens at most six connections to a daemon, over all tabs together, and each tab holds one for its feed. So
 * tabs that nobody looks at let go of theirs, all but one, which goes on counting open asks in its title.
 */

const PATIENCE_MS = 20_000;
const LOCK = "interlingua.hidden-feed";

/** Calls `release` once the tab has been hidden for a while and another hidden tab has the feed. Returns how to stop. */
export function releaseWhenHidden(release: () => void): () => void {
  const stopped = new AbortController();
  const { signal } = stopped;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let giveBack: (() => void) | undefined;

  async function decide(): Promise<void> {
    // Only there where the page is loaded from the machine itself or over TLS.
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

/** Resolves when somebody looks at the tab, or when `signal` says that nobody will. */
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
