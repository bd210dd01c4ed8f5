/**
 * Fetches what is too large for a frame of the feed, by the frame's cursors. A failed page is retried with growing
 * delays; newer frames win.
 */

import { InterlinguaError } from "../../../src/sdk/error.ts";
import { daemon } from "../api/client.ts";
import { isUnauthorized } from "../api/error-text.ts";
import type { FeedFrame } from "../api/types.ts";
import { sleep } from "../sleep.ts";
import { addAsks, addSessions, type FeedState, withoutSessions } from "./feed-state.ts";

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

  /** Whether everything was fetched that frames left out. */
  get isComplete(): boolean {
    return this.#toldSessions.size === 0 && this.#toldAsks.size === 0;
  }

  /** Call it with every frame, in order. */
  follow(frame: FeedFrame): void {
    switch (frame.type) {
      case "snapshot":
        if (frame.sessionCursor !== undefined) void this.#fetchSessions(frame.sessionCursor);
        if (frame.askCursor !== undefined) void this.#fetchAsks(undefined, frame.askCursor);
        return;
      case "session":
        for (const told of this.#toldSessions) told.add(frame.session);
        return;
      case "asks":
        for (const told of this.#toldAsks) told.add(frame.session);
        if (frame.askCursor !== undefined) void this.#fetchAsks(frame.session, frame.askCursor);
        return;
      case "deleted":
        for (const told of [...this.#toldSessions, ...this.#toldAsks]) told.add(frame.session);
    }
  }

  /** Those that a snapshot leaves out. */
  fetchArchived(): Promise<void> {
    return this.#fetchSessions(undefined, "true");
  }

  /** One that the snapshot left out, if it is there. */
  async fetchSession(id: string): Promise<boolean> {
    const { signal, change } = this.#options;
    const told = new Set<string>();
    this.#toldSessions.add(told);
    try {
      const session = await daemon().call("GET /v1/sessions/{id}", { params: { id } }, signal);
      change((state) => addSessions(state, [session], told));
      return !told.has(id);
    } finally {
      // A request that was cut off leaves it incomplete.
      if (!signal.aborted) this.#toldSessions.delete(told);
    }
  }

  /** One that was there before the snapshot, which left it out. */
  async renewSession(id: string): Promise<void> {
    try {
      await this.fetchSession(id);
    } catch (error) {
      if (InterlinguaError.is(error, "session_not_found"))
        this.#options.change((state) => withoutSessions(state, new Set([id])));
    }
  }

  #fetchSessions(cursor: string | undefined, archived?: "true"): Promise<void> {
    return this.#fetch(
      this.#toldSessions,
      cursor,
      (next, signal) =>
        daemon().call("GET /v1/sessions", { query: { limit: 500, archived, cursor: next } }, signal),
      (state, { sessions }, told) => addSessions(state, sessions, told),
    );
  }

  #fetchAsks(session: string | undefined, cursor: string): Promise<void> {
    return this.#fetch(
      this.#toldAsks,
      cursor,
      (next, signal) => daemon().call("GET /v1/asks", { query: { session, cursor: next } }, signal),
      (state, { asks }, told) => addAsks(state, asks, told),
    );
  }

  async #fetch<Page extends { cursor?: string }>(
    fetching: Set<Set<string>>,
    cursor: string | undefined,
    read: (cursor: string | undefined, signal: AbortSignal) => Promise<Page>,
    add: (state: FeedState, page: Page, told: ReadonlySet<string>) => FeedState,
  ): Promise<void> {
    const { signal, change } = this.#options;
    const told = new Set<string>();
    fetching.add(told);
    let next = cursor;
    let isOver = false;
    let delay = FIRST_DELAY_MS;
    while (!isOver && !signal.aborted) {
      try {
        const page = await read(next, signal);
        if (signal.aborted) return;
        change((state) => add(state, page, told));
        next = page.cursor;
        isOver = next === undefined;
        delay = FIRST_DELAY_MS;
      } catch (error) {
        if (isUnauthorized(error)) return;
        await sleep(delay);
        delay = Math.min(delay * 2, MAX_DELAY_MS);
      }
    }
    fetching.delete(told);
  }
}
