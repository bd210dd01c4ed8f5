/**
 * Changes of sessions on their way to the feed. A new state of a session is sent at once. Mere progress of a running turn is sent a
 * few times a second, and the latest always arrives.
 */
import { type SessionSummary, stateOf } from "./session-summary.ts";

/** Between two frames that only say that a session went on. */
const PROGRESS_MS = 250;

export type SessionChange = SessionSummary | { session: string; deleted: true };

/** Calls `act` once after a pause. Returns a function that cancels it. */
export type StartPause = (act: () => void) => () => void;

interface Sent {
  /** The session without what progress changes. */
  state: string;
  /** The latest progress since. */
  waiting?: SessionSummary;
}

export class PacedChanges {
  readonly #send: (change: SessionChange) => void;
  readonly #startPause: StartPause;
  /** Sessions that were sent lately. One that has no progress for a whole pause is forgotten. */
  readonly #sent = new Map<string, Sent>();
  #cancelPause: (() => void) | undefined;

  constructor(send: (change: SessionChange) => void, startPause: StartPause = startProgressPause) {
    this.#send = send;
    this.#startPause = startPause;
  }

  take(change: SessionChange): void {
    const { session } = change;
    if ("deleted" in change) {
      this.#sent.delete(session);
      return this.#send(change);
    }
    const state = stateOf(change);
    const sent = this.#sent.get(session);
    if (sent?.state === state) {
      sent.waiting = change;
      return;
    }
    this.#sent.set(session, { state });
    this.#cancelPause ??= this.#startPause(() => this.#endPause());
    this.#send(change);
  }

  /** Sends the progress that waits. */
  flush(): void {
    for (const sent of this.#sent.values()) {
      const { waiting } = sent;
      if (!waiting) continue;
      sent.waiting = undefined;
      this.#send(waiting);
    }
  }

  /** Forgets everything, so that nothing is left waiting. Changes can be taken again. */
  clear(): void {
    this.#sent.clear();
    this.#cancelPause?.();
    this.#cancelPause = undefined;
  }

  #endPause(): void {
    this.#cancelPause = undefined;
    for (const [session, { waiting }] of this.#sent) if (!waiting) this.#sent.delete(session);
    this.flush();
    if (this.#sent.size > 0) this.#cancelPause = this.#startPause(() => this.#endPause());
  }
}

function startProgressPause(act: () => void): () => void {
  const timer = setTimeout(act, PROGRESS_MS);
  timer.unref();
  return () => clearTimeout(timer);
}
