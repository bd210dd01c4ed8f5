/** The sessions that a restart of the daemon stopped in the middle of a turn. Pure. */
import type { SessionSummary } from "../feed/feed-state.ts";

/**
 * The newest first. `startedAt` is that of the daemon before: what was cut off earlier than that, it had told itself. One
 * that went on with a prompt that waited is not among them.
 */
export function cutOff(
  sessions: ReadonlyMap<string, Pick<SessionSummary, "session" | "cutOffAt" | "updatedAt">>,
  startedAt: number,
): string[] {
  return [...sessions.values()]
    .filter(({ cutOffAt = 0 }) => cutOffAt > startedAt)
    .sort((a, b) => b.updatedAt - a.updatedAt)
    .map(({ session }) => session);
}
