/** Follows the events of a session live. A broken connection resumes where it broke. */
import { setTimeout as delay } from "node:timers/promises";
import { readEventStream, type StreamedEvent } from "../protocol/read-event-stream.ts";
import { call, RefusedError } from "./daemon-client.ts";
import type { DaemonAddress } from "./find-daemon.ts";

export interface FollowOptions {
  /** Called before each connection: a restarted daemon may have another address. */
  findDaemon(): Promise<DaemonAddress>;
  readonly session: string;
  /** Begin after this seq. */
  readonly after: number;
  /** Ends it, without an error. */
  readonly signal: AbortSignal;
  /** Called once per interruption. */
  onInterruption(reason: string): void;
}

/** The daemon sends a comment every 15 seconds; after three missing ones the connection is dead. */
const SILENCE_MS = 45_000;
const SHORTEST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 5_000;

/** The session is closed and everything was read. */
class SessionOverError extends Error {}

/** Yields each event's JSON once, in order. Throws when the daemon refuses, or never answered in the first place. */
export async function* followEvents(options: FollowOptions): AsyncGenerator<string> {
  const { signal } = options;
  let after = options.after;
  let connected = false;
  let pause = SHORTEST_PAUSE_MS;
  let interrupted = false;
  while (!signal.aborted) {
    try {
      for await (const { id, data } of openStream(options, after)) {
        connected = true;
        interrupted = false;
        if (id === undefined) continue;
        // Not sooner, so as not to hammer a daemon that accepts connections and drops them.
        pause = SHORTEST_PAUSE_MS;
        after = Number(id);
        yield data;
        if (data.includes('"session.closed"') && JSON.parse(data).type === "session.closed") return;
      }
      if (!interrupted) options.onInterruption("The daemon ended the connection.");
    } catch (error) {
      if (signal.aborted || error instanceof SessionOverError) return;
      if (!connected || isFinal(error)) throw error;
      if (!interrupted) options.onInterruption((error as Error).message);
    }
    interrupted = true;
    // An abort during the pause ends the loop by its condition.
    await delay(pause, undefined, { signal }).catch(() => {});
    pause = Math.min(2 * pause, MAX_PAUSE_MS);
  }
}

/** Begins with an event without id and data as soon as the daemon has accepted the connection. */
async function* openStream(options: FollowOptions, after: number): AsyncGenerator<StreamedEvent> {
  const silence = new AbortController();
  const watchdog = setTimeout(() => silence.abort(new Error("The connection has gone silent.")), SILENCE_MS);
  try {
    const response = await call(await options.findDaemon(), `/v1/sessions/${options.session}/events/sse`, {
      query: { after },
      accept: "text/event-stream",
      signal: AbortSignal.any([options.signal, silence.signal]),
    });
    if (response.status === 204) throw new SessionOverError();
    yield { data: "" };
    if (response.body) yield* readEventStream(response.body, () => watchdog.refresh());
  } catch (error) {
    // `fetch` says just "terminated" when a connection breaks.
    throw error instanceof TypeError ? new Error("The connection broke.", { cause: error }) : error;
  } finally {
    clearTimeout(watchdog);
  }
}

/** The daemon refused, and a retry would be refused too. */
function isFinal(error: unknown): boolean {
  return error instanceof RefusedError && error.status <= 500 && error.status !== 429;
}
