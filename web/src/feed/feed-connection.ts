/** Keeps the state feed open: reconnects by itself, sooner when the network or the tab comes back. */

import { readEventStream } from "../../../src/protocol/read-event-stream.ts";
import { daemon } from "../api/client.ts";
import { isUnauthorized } from "../api/error-text.ts";
import type { FeedFrame } from "../api/types.ts";
import { FeedPages } from "./feed-pages.ts";
import { applyFrame, type FeedState, NOTHING_YET } from "./feed-state.ts";
import { releaseWhenHidden, untilVisible } from "./hidden-tab.ts";

const FIRST_DELAY_MS = 250;
const MAX_DELAY_MS = 1000;

export class FeedConnection {
  #state = NOTHING_YET;
  readonly #listeners = new Set<() => void>();
  readonly #ended = new AbortController();
  #wake: () => void = () => {};

  /** Runs until `close`. */
  open(): void {
    for (const event of ["online", "focus", "visibilitychange"])
      globalThis.addEventListener(event, () => this.#wake(), { signal: this.#ended.signal });
    void this.#run();
  }

  close(): void {
    this.#ended.abort();
    this.#wake();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly getState = (): FeedState => this.#state;

  async #run(): Promise<void> {
    const { signal } = this.#ended;
    let delay = FIRST_DELAY_MS;
    while (!signal.aborted) {
      const before = this.#state.snapshots;
      const reading = new AbortController();
      const stopWatching = releaseWhenHidden(() => reading.abort());
      try {
        await this.#read(AbortSignal.any([signal, reading.signal]));
      } catch (error) {
        if (isUnauthorized(error)) return;
      } finally {
        stopWatching();
      }
      if (signal.aborted) return;
      if (reading.signal.aborted) {
        this.#set({ ...this.#state, connection: "paused" });
        await untilVisible(signal);
        continue;
      }
      if (this.#state.snapshots > before) delay = FIRST_DELAY_MS;
      this.#set({ ...this.#state, connection: this.#state.snapshots > 0 ? "lost" : "connecting" });
      await this.#pause(delay);
      delay = Math.min(delay * 2, MAX_DELAY_MS);
    }
  }

  async #read(closing: AbortSignal): Promise<void> {
    const over = new AbortController();
    const signal = AbortSignal.any([closing, over.signal]);
    const rest = new FeedPages({ signal, change: (next) => this.#set(next(this.#state)) });
    try {
      const response = await daemon().open("GET /v1/feed/sse", {}, { accept: "text/event-stream", signal });
      for await (const { data } of readEventStream(response.body!)) {
        const frame = JSON.parse(data) as FeedFrame;
        this.#set(applyFrame(this.#state, frame));
        rest.follow(frame);
      }
    } finally {
      over.abort();
    }
  }

  #set(state: FeedState): void {
    this.#state = state;
    for (const listener of this.#listeners) listener();
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
