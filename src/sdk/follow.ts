/** A stream of the daemon for as long as it is wanted: a broken connection is taken up again. */
import { readEventStream, type StreamedEvent } from "../protocol/read-event-stream.ts";
import { InterlinguaError, reasonOf, unreachable } from "./error.ts";
import type { HttpClient } from "./http.ts";
import { Backoff, isPassing, Patience, UNREACHABLE_MS } from "./retry.ts";

/** How a stream stands. `behind` is how many events are still to come until it is live. */
export type StreamState =
  | { readonly state: "connected"; readonly behind: number }
  | { readonly state: "live" }
  | { readonly state: "reconnecting"; readonly reason: string };

export interface FollowOptions {
  /** Ends it, without an error. */
  readonly signal?: AbortSignal;
  /** Called when the connection is there, when it is lost, and when everything there was has been read. */
  onState?(state: StreamState): void;
  /** Rejects with `unreachable` when nobody answered for so long: five minutes. */
  readonly unreachableMs?: number;
}

/** The daemon sends a comment every 15 seconds; after three missing ones the connection is dead. */
const SILENCE_MS = 45_000;

interface Connection {
  /** Undefined when there is nothing more to come, ever. */
  open(signal: AbortSignal): Promise<Response | undefined>;
  /** Whether `open` may be called again after an error that may pass; always, when left out. */
  mayReopen?(): boolean;
  /** Ends the loop when it says so. */
  isOver?(): boolean;
}

/** Yields what arrives, over as many connections as it takes. Refusals that will not pass are thrown. */
export async function* follow(
  http: HttpClient,
  connection: Connection,
  options: FollowOptions = {},
): AsyncGenerator<StreamedEvent> {
  const { onState, unreachableMs = UNREACHABLE_MS } = options;
  const signal = options.signal ? AbortSignal.any([options.signal, http.closed]) : http.closed;
  const backoff = new Backoff();
  const patience = new Patience(unreachableMs);
  while (!signal.aborted) {
    const attempt = new Attempt(signal);
    const began = performance.now();
    let reason: InterlinguaError;
    try {
      const response = await connection.open(attempt.signal);
      if (!response?.body) return;
      for await (const event of attempt.read(response.body)) {
        backoff.reset();
        attempt.pause();
        yield event;
        // However long that took, nobody was listening to the daemon.
        attempt.heard();
        if (connection.isOver?.()) return;
      }
      reason = unreachable(http.baseUrl, new Error("the daemon ended the connection"));
    } catch (error) {
      if (signal.aborted) break;
      reason = attempt.explain(http, error);
      if (!isPassing(reason) || connection.mayReopen?.() === false) throw reason;
    } finally {
      attempt.pause();
    }
    // A stream may be quiet for days: it is lost now, and the daemon was there until now.
    if (attempt.isReading) patience.contact();
    else patience.overslept(performance.now() - began - SILENCE_MS);
    if (patience.isOver) throw reason;
    onState?.({ state: "reconnecting", reason: reasonOf(reason) });
    patience.overslept(await backoff.pause(signal));
  }
  if (http.closed.aborted) throw http.closed.reason;
}

/** One connection, given up when nothing has been heard for too long. */
class Attempt {
  readonly #silence = new AbortController();
  readonly signal: AbortSignal;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The daemon has answered. */
  isReading = false;

  constructor(signal: AbortSignal) {
    this.signal = AbortSignal.any([signal, this.#silence.signal]);
    this.heard();
  }

  async *read(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamedEvent> {
    this.isReading = true;
    yield* readEventStream(body, () => this.heard());
  }

  heard(): void {
    this.pause();
    this.#timer = setTimeout(
      () => this.#silence.abort(new Error("the connection has gone silent")),
      SILENCE_MS,
    );
  }

  /** Nobody listens for a while, so silence means nothing. */
  pause(): void {
    clearTimeout(this.#timer);
  }

  /** A connection that breaks while it is read, or is silent, is one that nobody answers. */
  explain(http: HttpClient, error: unknown): InterlinguaError {
    if (InterlinguaError.is(error)) return error;
    if (this.#silence.signal.aborted) return unreachable(http.baseUrl, this.#silence.signal.reason);
    if (this.isReading) return unreachable(http.baseUrl, error);
    throw error;
  }
}
