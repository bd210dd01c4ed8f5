/** Forks below the session they began as a copy of, where both are in the same list. Pure. */
import type { SessionSummary } from "../feed/feed-state.ts";

export interface ListedRow {
  session: SessionSummary;
  /** How many origins stand above it. */
  depth: number;
}

/** Each session once. Those without an origin in the list keep their order, and so do the forks of one session. */
export function arrangeForks(sessions: readonly SessionSummary[]): ListedRow[] {
  const listed = new Set(sessions.map(({ session }) => session));
  const forks = new Map<string, SessionSummary[]>();
  const roots: SessionSummary[] = [];
  for (const session of sessions) {
    const origin = session.forkedFrom?.session;
    if (origin === undefined || !listed.has(origin)) roots.push(session);
    else if (forks.has(origin)) forks.get(origin)?.push(session);
    else forks.set(origin, [session]);
  }
  const rows: ListedRow[] = [];
  // A stack instead of recursion: a fork of a fork of a fork may go on for long.
  const waiting = roots.map((session): ListedRow => ({ session, depth: 0 })).reverse();
  while (true) {
    const row = waiting.pop();
    if (!row) return rows;
    rows.push(row);
    const below = forks.get(row.session.session) ?? [];
    for (const session of below.toReversed()) waiting.push({ session, depth: row.depth + 1 });
  }
}
