/**
 * Fetches what is too large for a frame of the feed, by the frame's cursors. A failed page is retried with growing
 * delays; newer frames win.
 */
import { ApiError } from "../api/api-error.ts";
import { readPages } from "../api/read-pages.ts";
import type { Ask, FeedFrame, Session } from "../api/types.ts";
import { addAsks, addSessions, type FeedState } from "./feed-state.ts";

export interface FeedPagesOptions {
  signal: AbortSignal;
  change: (next: (state: FeedState) => FeedState) => void;
}

const FIRST_DELAY_MS = 250;
const MAX_DELAY_MS = 30_000;

export class FeedPages {
  readonly #options: FeedPagesOptions;
  /** For each list being fetched: the sessions in frames since it began. */
  readonly #toldSessions = new Set<Set<string>>();
  readonly #toldAsks = new Set<Set<string>>();

  constructor(options: FeedPagesOptions) {
    this.#options = options;
  }

  /** Call it with every frame, in order. */
  follow(frame: FeedFrame): void {
    switch (frame.type) {
      case "snapshot":
        if (frame.sessionCursor !== undefined) void this.#fetchSessions(frame.sessionCursor);
        if (frame.askCursor !== undefined) void this.#fetchAsks("/v1/asks", frame.askCursor);
        return;
      case "session":
        for (const told of this.#toldSessions) told.add(frame.session);
        return;
      case "asks":
        for (const told of this.#toldAsks) told.add(frame.session);
        if (frame.askCursor !== undefined)
          void this.#fetchAsks(`/v1/asks?session=${encodeURIComponent(frame.session)}`, frame.askCursor);
        return;
      case "deleted":
        for (const told of [...this.#toldSessions, ...this.#toldAsks]) told.add(frame.session);
    }
  }

  #fetchSessions(cursor: string): Promise<void> {
    return this.#fetch<{ sessions: Session[] }>(
      this.#toldSessions,
      "/v1/sessions?limit=500",
      cursor,
      (state, { sessions }, told) => addSessions(state, sessions, told),
    );
  }

  #fetchAsks(path: string, cursor: string): Promise<void> {
    return this.#fetch<{ asks: Ask[] }>(this.#toldAsks, path, cursor, (state, { asks }, told) =>
      addAsks(state, asks, told),
    );
  }

  async #fetch<Page extends object>(
    fetching: Set<Set<string>>,
    path: string,
    cursor: string,
    add: (state: FeedState, page: Page, told: ReadonlySet<string>) => FeedState,
  ): Promise<void> {
    const { signal, change } = this.#options;
    const told = new Set<string>();
    fetching.add(told);
    let next: string | undefined = cursor;
    let delay = FIRST_DELAY_MS;
    while (next !== undefined && !signal.aborted) {
      try {
        for await (const page of readPages<Page>(path, { cursor: next, signal })) {
          if (signal.aborted) return;
          change((state) => add(state, page, told));
          next = page.cursor;
          delay = FIRST_DELAY_MS;
        }
      } catch (error) {
        // A new token starts a new connection.
        if (error instanceof ApiError && error.status === 401) return;
        await new Promise((resolve) => setTimeout(resolve, delay));
        delay = Math.min(delay * 2, MAX_DELAY_MS);
      }
    }
    fetching.delete(told);
  }
}
