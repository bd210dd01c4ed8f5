/** Keeps the state feed open: reconnects by itself, sooner when the network or the tab comes back. */

import { readEventStream } from "../../../src/protocol/read-event-stream.ts";
import { daemon } from "../api/client.ts";
import { isUnauthorized } from "../api/error-text.ts";
import type { FeedFrame } from "../api/types.ts";
import { FeedPages } from "./feed-pages.ts";
import { applyFrame, type FeedState, isProgress, keepSession, NOTHING_YET } from "./feed-state.ts";
import { HiddenTab } from "./hidden-tab.ts";
import { ToldState } from "./told-state.ts";
import { watchSleep } from "./watch-sleep.ts";

const FIRST_DELAY_MS = 250;
const MAX_DELAY_MS = 1000;
/** The daemon sends a comment every 15 seconds; after three missing ones the connection is dead. */
const SILENCE_MS = 45_000;

export class FeedConnection {
  readonly #state = new ToldState(NOTHING_YET);
  readonly #ended = new AbortController();
  #wake: () => void = () => {};
  /** Ends the open stream, so that another one is opened at once. */
  #renew: () => void = () => {};
  /** The name by which the daemon knows the open stream. */
  #reader = "";
  /** The session that is looked at, and the one the daemon was told of. */
  #watching: string | undefined;
  #told: string | undefined;
  #isTelling = false;
  /** Of the open stream. */
  #pages: FeedPages | undefined;
  #hasArchived = false;
  /** The cursor of the last frame, with which the feed continues from there. */
  #cursor: string | undefined;

  /** Runs until `close`. */
  open(): void {
    for (const event of ["online", "focus", "visibilitychange"])
      globalThis.addEventListener(event, () => this.#wake(), { signal: this.#ended.signal });
    // Whoever slept may hold a stream that the network dropped without a word.
    watchSleep(() => this.retry(), this.#ended.signal);
    const tab = new HiddenTab();
    void this.#run(tab).finally(() => tab.close());
  }

  close(): void {
    this.#ended.abort();
    this.#state.close();
    this.#wake();
  }

  /** Opens another stream at once, whatever became of this one. */
  retry(): void {
    this.#renew();
    this.#wake();
  }

  /** Says which session is looked at, so that others see who watches. */
  watch(session: string | undefined): void {
    this.#watching = session;
    void this.#tell();
  }

  /** From now on archived sessions are in the state, too. */
  loadArchived(): void {
    if (this.#hasArchived) return;
    this.#hasArchived = true;
    if (this.#state.latest.connection === "live") void this.#pages?.fetchArchived();
  }

  /** Looks for a session that the snapshot left out; if there is one it is in the state from then on. */
  async find(session: string): Promise<boolean> {
    return (await this.#pages?.fetchSession(session)) ?? false;
  }

  get subscribe(): (listener: () => void) => () => void {
    return this.#state.subscribe;
  }

  get getState(): () => FeedState {
    return this.#state.getTold;
  }

  async #run(tab: HiddenTab): Promise<void> {
    const { signal } = this.#ended;
    let delay = FIRST_DELAY_MS;
    while (!signal.aborted) {
      const before = this.#state.latest.snapshots;
      const reading = new AbortController();
      const stopWatching = tab.releaseWhenHidden(() => reading.abort());
      try {
        await this.#read(AbortSignal.any([signal, reading.signal]));
      } catch (error) {
        if (isUnauthorized(error)) return;
      } finally {
        stopWatching();
      }
      if (signal.aborted) return;
      if (reading.signal.aborted) {
        this.#state.set({ ...this.#state.latest, connection: "paused" });
        await tab.untilWanted(signal);
        continue;
      }
      if (this.#state.latest.snapshots > before) delay = FIRST_DELAY_MS;
      this.#state.set({
        ...this.#state.latest,
        connection: this.#state.latest.snapshots > 0 ? "lost" : "connecting",
        ...(this.#state.latest.connection === "live" && { lostAt: Date.now() }),
      });
      await this.#pause(delay);
      delay = Math.min(delay * 2, MAX_DELAY_MS);
    }
  }

  async #read(closing: AbortSignal): Promise<void> {
    const over = new AbortController();
    this.#renew = () => over.abort();
    const signal = AbortSignal.any([closing, over.signal]);
    // Pages of a snapshot that were not fetched to their end would stay missing.
    const after = this.#pages?.isComplete ? this.#cursor : undefined;
    const rest = new FeedPages({ signal, change: (next) => this.#state.set(next(this.#state.latest)) });
    this.#pages = rest;
    const reader = createReaderName();
    let silence: ReturnType<typeof setTimeout> | undefined;
    const onActivity = () => {
      clearTimeout(silence);
      silence = setTimeout(this.#renew, SILENCE_MS);
    };
    try {
      const query = { reader, after };
      const how = { accept: "text/event-stream", signal };
      const response = await daemon().open("GET /v1/feed/sse", { query }, how);
      this.#reader = reader;
      this.#told = undefined;
      onActivity();
      for await (const { id, data } of readEventStream(response.body!, onActivity)) {
        const frame = JSON.parse(data) as FeedFrame;
        this.#cursor = id;
        const before = this.#state.latest;
        const next = applyFrame(before, frame);
        if (frame.type === "snapshot") this.#state.set(keepSession(before, next, this.#watching));
        else if (isProgress(before, frame)) this.#state.setSoon(next);
        else this.#state.set(next);
        rest.follow(frame);
        if (frame.type !== "snapshot" && frame.type !== "resumed") continue;
        const watched = this.#watching;
        if (frame.type === "snapshot" && watched !== undefined && !next.sessions.has(watched))
          void rest.renewSession(watched);
        void this.#tell();
        if (this.#hasArchived) void rest.fetchArchived();
      }
    } finally {
      clearTimeout(silence);
      over.abort();
    }
  }

  /** One after the other: the last one counts. If it fails, only others miss something. */
  async #tell(): Promise<void> {
    if (this.#isTelling) return;
    this.#isTelling = true;
    while (this.#state.latest.connection === "live" && this.#told !== this.#watching) {
      const watching = this.#watching;
      this.#told = watching;
      const request = { params: { reader: this.#reader }, body: { watching: watching ?? null } };
      await daemon()
        .call("PATCH /v1/feed/readers/{reader}", request)
        .catch(() => {});
    }
    this.#isTelling = false;
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

/** Not a UUID: browsers make those only for pages from localhost or over TLS. */
function createReaderName(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
}
