/** One request for each of many sessions, a few at a time; an error of one does not keep the others. */

const AT_ONCE = 4;

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
        await change(session);
        changed.done.push(session);
      } catch (error) {
        changed.failed.push({ session, error });
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return changed;
}
