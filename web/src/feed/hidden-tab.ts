/**
 * A browser opens at most six connections to a daemon over all tabs, and each tab holds one for its feed. So hidden
 * tabs release theirs, all but one, which keeps counting open asks in its title.
 */

const PATIENCE_MS = 20_000;
/** The hidden tab that has it has the feed. */
const LOCK = "interlingua.hidden-feed";

export class HiddenTab {
  readonly #closed = new AbortController();
  /** There while this tab has the lock: until it is looked at or closed, however often its feed breaks meanwhile. */
  #giveBack: (() => void) | undefined;

  constructor() {
    const { signal } = this.#closed;
    document.addEventListener("visibilitychange", () => !document.hidden && this.#giveBack?.(), { signal });
  }

  close(): void {
    this.#closed.abort();
    this.#giveBack?.();
  }

  /**
   * Calls `release` once the tab has been hidden for a while and another hidden tab has the feed. Returns a function
   * that stops it.
   */
  releaseWhenHidden(release: () => void): () => void {
    const stopped = new AbortController();
    const { signal } = stopped;
    let timer: ReturnType<typeof setTimeout> | undefined;

    const decide = async () => {
      // Available only if the page is loaded from localhost or over TLS.
      if (!navigator.locks || this.#giveBack) return;
      await navigator.locks.request(LOCK, { ifAvailable: true }, (lock) => {
        if (signal.aborted || !document.hidden) return;
        return lock ? this.#hold() : release();
      });
    };

    function onChange(): void {
      clearTimeout(timer);
      if (document.hidden) timer = setTimeout(() => void decide(), PATIENCE_MS);
    }

    document.addEventListener("visibilitychange", onChange, { signal });
    onChange();
    return () => {
      stopped.abort();
      clearTimeout(timer);
    };
  }

  /** Resolves when the tab is looked at, when the one that had the feed is gone, or when `signal` is aborted. */
  untilWanted(signal: AbortSignal): Promise<void> {
    if (!document.hidden || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const waiting = new AbortController();
      const done = () => {
        waiting.abort();
        resolve();
      };
      const until = { signal: waiting.signal };
      document.addEventListener("visibilitychange", () => !document.hidden && done(), until);
      signal.addEventListener("abort", done, until);
      navigator.locks
        .request(LOCK, until, () => {
          const held = this.#hold();
          done();
          return held;
        })
        // It is not wanted any more.
        .catch(() => {});
    });
  }

  #hold(): Promise<void> {
    return new Promise((resolve) => {
      this.#giveBack = () => {
        this.#giveBack = undefined;
        resolve();
      };
    });
  }
}
