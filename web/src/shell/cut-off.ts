/** The sessions that a restart of the daemon stopped in the middle of something. Pure. */
import type { SessionSummary } from "../feed/feed-state.ts";

type Sessions = ReadonlyMap<string, Pick<SessionSummary, "status">>;

const AT_WORK: ReadonlySet<string> = new Set(["running", "waiting", "recovering"]);

/** Those that worked or waited for somebody before, and do not any more. */
export function cutOff(before: Sessions, after: Sessions): string[] {
  return [...before].flatMap(([id, { status }]) => {
    const now = after.get(id)?.status;
    return AT_WORK.has(status) && now !== undefined && !AT_WORK.has(now) ? id : [];
  });
}
