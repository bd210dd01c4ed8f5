/** Forks that still go by the title of their origin, numbered so that they can be told apart. Pure. */
import type { SessionSummary } from "../feed/feed-state.ts";

/** By session. 0: it is the only such fork of its origin. */
export type ForkNumbers = ReadonlyMap<string, number>;

/** In the order in which they were made: a number stays with its session. */
export function forkNumbers(sessions: ReadonlyMap<string, SessionSummary>): ForkNumbers {
  const numbers = new Map<string, number>();
  const inherited = [...sessions.values()].filter(({ title, forkedFrom }) => {
    const origin = forkedFrom && sessions.get(forkedFrom.session);
    return origin !== undefined && (title ?? "") === (origin.title ?? "");
  });
  const first = (session: SessionSummary) => familyOf(session.session, sessions);
  for (const forks of Map.groupBy(inherited, first).values()) {
    forks.sort((a, b) => a.createdAt - b.createdAt || a.session.localeCompare(b.session));
    for (const [index, { session }] of forks.entries())
      numbers.set(session, forks.length === 1 ? 0 : index + 1);
  }
  return numbers;
}

/** The session that it and all it was copied from began with, as far as they are known. */
export function familyOf(session: string, sessions: ReadonlyMap<string, SessionSummary>): string {
  const passed = new Set<string>();
  for (let at = session; ; ) {
    const origin = sessions.get(at)?.forkedFrom?.session;
    // A circle cannot be, but what comes over the wire decides nothing about that.
    if (origin === undefined || !sessions.has(origin) || passed.has(origin)) return at;
    passed.add(origin);
    at = origin;
  }
}
