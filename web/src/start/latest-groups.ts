/** What the start shows of the sessions: those that need a person, those that run, and the latest of the others. Pure. */
import type { SessionSummary } from "../feed/feed-state.ts";
import { groupSessions, isRunning, type SessionGroup } from "../sessions/group-sessions.ts";

/** Of each group. The list has them all. */
const MAX_ROWS = 5;

interface LatestOptions {
  /** What those are called that wait for a person. */
  waitingName: string;
  now: number;
  wantsLook?: (session: SessionSummary) => boolean;
}

export function latestGroups(
  sessions: readonly SessionSummary[],
  { waitingName, now, wantsLook }: LatestOptions,
): SessionGroup[] {
  const shown = sessions.filter(({ archived }) => !archived);
  const groups = groupSessions(shown, { by: "state", waitingName, directories: new Map(), now, wantsLook });
  const rowsOf = (...keys: string[]) =>
    groups.filter(({ key }) => keys.includes(key)).flatMap(({ rows }) => rows);
  // What is pinned has a place of its own in the list; here it stands among the others.
  const [pinned, working] = [rowsOf("pinned"), rowsOf("running")];
  const running = [...working, ...pinned.filter(({ session }) => isRunning(session))];
  const urgent = new Set([...rowsOf("waiting"), ...running]);
  const latest = groups
    .flatMap(({ rows }) => rows.filter((row) => !urgent.has(row)))
    .sort((a, b) => b.session.updatedAt - a.session.updatedAt);
  return [
    { key: "waiting", name: waitingName, rows: rowsOf("waiting") },
    { key: "running", name: "Running", rows: running },
    { key: "latest", name: "Latest", rows: latest },
  ]
    .map(({ rows, ...group }) => ({
      ...group,
      // A fork whose origin is not here stands by itself.
      rows: rows.slice(0, MAX_ROWS).map((row) => ({ ...row, depth: 0 })),
    }))
    .filter(({ rows }) => rows.length > 0);
}
