/**
 * The list as the rows that are rendered: headings, sessions and what was found in one flat order, so that only those in
 * sight have to be in the page. Pure.
 */
import type { ListedRow } from "./fork-tree.ts";
import type { SessionGroup } from "./group-sessions.ts";
import type { FoundMessage } from "./merge-copies.ts";

export type ListItem =
  | { kind: "group"; key: string; group: SessionGroup; isCollapsed: boolean }
  | ({ kind: "session"; key: string; group: SessionGroup } & ListedRow)
  | { kind: "result"; key: string; result: FoundMessage }
  | { kind: "title"; key: string; text: string }
  | { kind: "note"; key: string; text: string }
  | { kind: "more"; key: string; text: string; onMore: () => void };

export function listItems(groups: readonly SessionGroup[], collapsed: ReadonlySet<string>): ListItem[] {
  return groups.flatMap((group): ListItem[] => {
    const isCollapsed = collapsed.has(group.key);
    const heading: ListItem = { kind: "group", key: `group ${group.key}`, group, isCollapsed };
    return isCollapsed ? [heading] : [heading, ...rowsOf(group)];
  });
}

/** What the sessions of a list do not have in common: only that is worth a second line. */
export interface ListDifferences {
  agent: boolean;
  directory: boolean;
}

export function listDifferences(groups: readonly SessionGroup[]): ListDifferences {
  const sessions = groups.flatMap(({ rows }) => rows.map(({ session }) => session));
  // What a heading says is not said again.
  const untold = groups.flatMap(({ directory, rows }) => (directory === undefined ? rows : []));
  return {
    agent: sessions.some(({ agent }) => agent !== sessions[0]?.agent),
    directory: untold.some(({ session }) => session.cwd !== sessions[0]?.cwd),
  };
}

interface Found {
  /** Those whose title, agent or directory has the words. */
  sessions: SessionGroup;
  /** How many of them are shown. */
  most: number;
  onAllSessions: () => void;
  messages: readonly FoundMessage[];
  /** What is to be said of the search in messages. */
  note?: string;
  onMoreMessages?: () => void;
}

export function foundItems(found: Found): ListItem[] {
  const { sessions, most, messages, note, onAllSessions, onMoreMessages } = found;
  const rows = rowsOf(sessions);
  const items: ListItem[] = [];
  if (rows.length > 0) items.push({ kind: "title", key: "title sessions", text: "Sessions" });
  items.push(...rows.slice(0, most));
  if (rows.length > most) {
    const text = `Show all ${rows.length.toLocaleString()} sessions`;
    items.push({ kind: "more", key: "more sessions", text, onMore: onAllSessions });
  }
  if (messages.length > 0 || note) items.push({ kind: "title", key: "title messages", text: "Messages" });
  for (const result of messages)
    items.push({ kind: "result", key: `result ${result.session} ${result.message}`, result });
  if (note) items.push({ kind: "note", key: "note", text: note });
  if (onMoreMessages)
    items.push({ kind: "more", key: "more messages", text: "Show more messages", onMore: onMoreMessages });
  return items;
}

function rowsOf(group: SessionGroup): ListItem[] {
  return group.rows.map((row) => ({ kind: "session", key: row.session.session, group, ...row }));
}
