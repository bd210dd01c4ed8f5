/**
 * The sessions in the order of the list. By state: what needs a person, what is pinned, what runs, then the rest by age.
 * Within what runs the order does not follow the last change, or rows would jump while they are read. Pure.
 */
import type { SessionSummary } from "../feed/feed-state.ts";
import { hasWords } from "../shell/match-words.ts";
import { arrangeForks, type ListedRow } from "./fork-tree.ts";

export interface SessionGroup {
  /** Tells it from the others, also when the page is opened again. */
  key: string;
  name: string;
  /** The directory that all its sessions have. */
  directory?: string;
  rows: ListedRow[];
}

export const GROUPINGS = ["state", "directory"] as const;
export type Grouping = (typeof GROUPINGS)[number];

interface GroupOptions {
  by: Grouping;
  /** What those are called that wait for a person. */
  waitingName: string;
  /** What directories are called. */
  directories: ReadonlyMap<string, string>;
  now: number;
  /** Those that wait for no answer, but want to be seen: they stand below what waits. */
  wantsLook?: (session: SessionSummary) => boolean;
}

const DAY_MS = 24 * 60 * 60 * 1000;

export function groupSessions(
  sessions: readonly SessionSummary[],
  { by, waitingName, directories, now, wantsLook = () => false }: GroupOptions,
): SessionGroup[] {
  const isUrgent = (session: SessionSummary) => isWaiting(session) || wantsLook(session);
  // By state, what needs a person stands above all, pinned or not.
  const isPinned = (session: SessionSummary) =>
    session.pinned === true && !(by === "state" && isUrgent(session));
  const rest = sessions.filter((session) => !isPinned(session));
  const pinnedGroup = groupOf("pinned", "Pinned", sessions.filter(isPinned).sort(byUrgency));
  if (by === "directory") return [pinnedGroup, ...byDirectory(rest, directories)].filter(hasRows);
  const settled = rest.filter((session) => !isUrgent(session) && !isRunning(session)).sort(byAge);
  const midnight = new Date(now).setHours(0, 0, 0, 0);
  const since = (from: number, to: number) =>
    settled.filter(({ updatedAt }) => updatedAt >= from && updatedAt < to);
  return [
    groupOf("waiting", waitingName, rest.filter(isUrgent).sort(byUrgency)),
    pinnedGroup,
    groupOf("running", "Running", rest.filter(isRunning).sort(byCreation)),
    groupOf("today", "Today", since(midnight, Number.POSITIVE_INFINITY)),
    groupOf("yesterday", "Yesterday", since(midnight - DAY_MS, midnight)),
    groupOf("week", "Last 7 days", since(midnight - 7 * DAY_MS, midnight - DAY_MS)),
    groupOf("older", "Older", since(Number.NEGATIVE_INFINITY, midnight - 7 * DAY_MS)),
  ].filter(hasRows);
}

/** The directory with the newest session first. */
function byDirectory(
  sessions: readonly SessionSummary[],
  names: ReadonlyMap<string, string>,
): SessionGroup[] {
  const groups = Map.groupBy(sessions, ({ cwd }) => cwd);
  const newest = (of: readonly SessionSummary[]) =>
    of.reduce((latest, { createdAt }) => Math.max(latest, createdAt), 0);
  return [...groups]
    .sort(([a, of], [b, others]) => newest(others) - newest(of) || a.localeCompare(b))
    .map(([cwd, of]) => ({
      ...groupOf(`directory ${cwd}`, names.get(cwd) ?? cwd, of.sort(byUrgency)),
      directory: cwd,
    }));
}

/** Those that have every word in their title, agent, directory or id; the newest first. */
export function findSessions(sessions: readonly SessionSummary[], search: string): SessionGroup {
  const rows = sessions
    .filter((session) => matches(session, search))
    .sort(byAge)
    .map((session) => ({ session, depth: 0 }));
  return { key: "found", name: "Sessions", rows };
}

function matches(session: SessionSummary, search: string): boolean {
  return hasWords([session.title, session.session, session.agent, session.cwd].join(" "), search);
}

function groupOf(key: string, name: string, sessions: readonly SessionSummary[]): SessionGroup {
  return { key, name, rows: arrangeForks(sessions) };
}

function hasRows({ rows }: SessionGroup): boolean {
  return rows.length > 0;
}

function isWaiting({ status }: SessionSummary): boolean {
  return status === "waiting";
}

export function isRunning({ status }: SessionSummary): boolean {
  return status === "running" || status === "recovering";
}

function rank(session: SessionSummary): number {
  if (isWaiting(session)) return 0;
  return isRunning(session) ? 1 : 2;
}

function byUrgency(a: SessionSummary, b: SessionSummary): number {
  return rank(a) - rank(b) || (isRunning(a) ? byCreation(a, b) : byAge(a, b));
}

function byCreation(a: SessionSummary, b: SessionSummary): number {
  return b.createdAt - a.createdAt || a.session.localeCompare(b.session);
}

function byAge(a: SessionSummary, b: SessionSummary): number {
  return b.updatedAt - a.updatedAt || a.session.localeCompare(b.session);
}
