/** A stream of the daemon for as long as it is wanted: a broken connection is taken up again. */
import { readEventStream, type StreamedEvent } from "../protocol/read-event-stream.ts";
import { InterlinguaError, reasonOf, unreachable } from "./error.ts";
import type { HttpClient } from "./http.ts";
import { Backoff, isPassing, Patience } from "./retry.ts";

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
const UNREACHABLE_MS = 5 * 60_000;

interface Connection {
  /** Undefined when there is nothing more to come, ever. */
  open(signal: AbortSignal): Promise<Response | undefined>;
  /** Ends the loop when it says so. */
  isOver?(): boolean;
}

/** Yields what arrives, over as many connections as it takes. Refusals that will not pass are thrown. */
export async function* follow(
  http: HttpClient,
  connection: Connection,
  options: FollowOptions = {},
): AsyncGenerator<StreamedEvent> {
  const { signal, onState, unreachableMs = UNREACHABLE_MS } = options;
  const backoff = new Backoff();
  const patience = new Patience(unreachableMs);
  let reason: unknown;
  while (!signal?.aborted) {
    const attempt = new Attempt(signal);
    try {
      const response = await connection.open(attempt.signal);
      if (!response?.body) return;
      patience.contact();
      for await (const event of readEventStream(response.body, () => attempt.heard())) {
        patience.contact();
        backoff.reset();
        yield event;
        if (connection.isOver?.()) return;
      }
      reason = new Error("the daemon ended the connection");
    } catch (error) {
      if (signal?.aborted) return;
      if (!isPassing(error)) throw error;
      reason = error;
    } finally {
      attempt.end();
    }
    if (patience.isOver()) throw InterlinguaError.is(reason) ? reason : unreachable(http.baseUrl, reason);
    onState?.({ state: "reconnecting", reason: reasonOf(reason) });
    await backoff.pause(signal);
  }
}

/** One connection, given up when nothing has been heard for too long. */
class Attempt {
  readonly #silence = new AbortController();
  readonly signal: AbortSignal;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(signal: AbortSignal | undefined) {
    this.signal = signal ? AbortSignal.any([signal, this.#silence.signal]) : this.#silence.signal;
    this.heard();
  }

  heard(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(
      () => this.#silence.abort(new Error("the connection has gone silent")),
      SILENCE_MS,
    );
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}
