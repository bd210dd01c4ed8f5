/** Opens a database that is away for a while: one that starts together with the daemon, or fails over. */
import { setTimeout } from "node:timers/promises";
import { PostgresFailure } from "./postgres/postgres-failure.ts";

export interface WaitOptions {
  /** Ends the wait, which then rejects with its reason. */
  signal: AbortSignal;
  /** Called before each pause. An error that it throws ends the wait. */
  onAway(error: Error, pauseMs: number): void | Promise<void>;
}

const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 10_000;

/** Tries for as long as the server cannot be reached. Any other failure, such as a wrong password, is thrown at once. */
export async function openWhenReachable<Opened>(
  open: () => Promise<Opened>,
  { signal, onAway }: WaitOptions,
): Promise<Opened> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
    try {
      return await open();
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof Error && isAway(error.cause))) throw error;
      await onAway(error, pauseMs);
      await setTimeout(pauseMs, undefined, { signal }).catch(() => signal.throwIfAborted());
    }
  }
}

function isAway(cause: unknown): boolean {
  return cause instanceof PostgresFailure && cause.isAway;
}
