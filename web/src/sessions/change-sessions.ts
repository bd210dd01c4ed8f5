/**
 * One request for each of many sessions, a few at a time; an error of one does not keep the others. Where the daemon says
 * that it was too fast, it goes on more slowly.
 */
import { InterlinguaError } from "../../../src/sdk/error.ts";
import { sleep } from "../sleep.ts";

const AT_ONCE = 4;
const MAX_TRIES = 5;
const PAUSE_MS = 500;

export interface ChangedSessions {
  done: string[];
  failed: { session: string; error: unknown }[];
}

export async function changeSessions(
  sessions: readonly string[],
  change: (session: string) => Promise<unknown>,
): Promise<ChangedSessions> {
  const changed: ChangedSessions = { done: [], failed: [] };
  const left = sessions.values();
  // All take from one iterator, so each session is taken once.
  async function work(): Promise<void> {
    for (const session of left) {
      try {
        await patiently(() => change(session));
        changed.done.push(session);
      } catch (error) {
        changed.failed.push({ session, error });
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return changed;
}

async function patiently(act: () => Promise<unknown>): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await act();
      return;
    } catch (error) {
      if (tries === MAX_TRIES || !InterlinguaError.is(error, "too_many_requests")) throw error;
      await sleep(PAUSE_MS * tries);
    }
  }
}
