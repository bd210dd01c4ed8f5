/**
 * The sessions in the order of the list: what needs a person, what runs, then the rest by age. Within what runs the
 * order does not follow the last change, or rows would jump while they are read. Pure.
 */
import type { SessionSummary } from "../feed/feed-state.ts";

export type ListedSession = SessionSummary;

export interface SessionGroup {
  name: string;
  sessions: ListedSession[];
}

export type SessionFilter = "all" | "active" | "waiting";

/** `waitingName` is what those are called that wait for a person. */
export function groupSessions(sessions: readonly ListedSession[], waitingName: string): SessionGroup[] {
  const waiting = sessions.filter(({ status }) => status === "waiting").sort(byAge);
  const running = sessions
    .filter(({ status }) => status === "running" || status === "recovering")
    .sort((a, b) => b.createdAt - a.createdAt || a.session.localeCompare(b.session));
  const rest = sessions
    .filter(({ status }) => status === "idle" || status === "failed" || status === "closed")
    .sort(byAge);
  return [
    { name: waitingName, sessions: waiting },
    { name: "Running", sessions: running },
    { name: "Recent", sessions: rest },
  ].filter((group) => group.sessions.length > 0);
}

/** `found` are the sessions in whose prompts the daemon found the words. */
export function matches(session: ListedSession, search: string, found: ReadonlySet<string>): boolean {
  if (found.has(session.session)) return true;
  const text = [session.title, session.session, session.agent, session.cwd].join(" ").toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

export function passes(session: ListedSession, filter: SessionFilter): boolean {
  if (filter === "waiting") return session.status === "waiting";
  if (filter === "active") return ["running", "waiting", "recovering"].includes(session.status);
  return true;
}

function byAge(a: ListedSession, b: ListedSession): number {
  return b.updatedAt - a.updatedAt;
}
