/** What the reading commands need, from a running daemon or else from its data directory. */
import type { RawRecord } from "../core/raw-record.ts";
import type { SearchResult } from "../core/search-result.ts";
import type { ListQuery, SearchQuery, UsageQuery } from "../core/store.ts";
import type { UsageGroup, UsageKey, UsageTotals } from "../core/usage-groups.ts";
import type { AskView, QueuedView, SessionView } from "../protocol/commands/command-types.ts";
import type { SessionView as ListedSession } from "../sdk/types.ts";

export interface Reader {
  /** Last changed first; `limit` is the size of a page. */
  listSessions(query: Omit<ListQuery, "cursor" | "maxBytes">): AsyncIterable<ListedSession>;
  /** Throws when there is no such session. */
  session(id: string): Promise<SessionView>;
  /** Oldest first. */
  openAsks(): Promise<AskView[]>;
  /** What waits, in the order it will run. Throws when there is no such session. */
  queue(session: string): Promise<QueuedView[]>;
  /** The newest first. */
  search(query: Pick<SearchQuery, "words" | "session">): AsyncIterable<SearchResult>;
  usage(query: UsageWish): Promise<{ rows: UsageGroup[]; total: UsageTotals }>;
  /** Each event's JSON in order, as far as the log goes now. Throws when the session or the seq is unknown. */
  events(session: string, after: number, pageSize?: number): AsyncIterable<string>;
  /** What went over the agent's wire, in order, as far as it goes now. */
  records(session: string): AsyncIterable<RawRecord>;
  /** Idempotent. */
  close(): Promise<void>;
}

export type UsageWish = Omit<UsageQuery, "limit" | "cursor"> & { by: readonly UsageKey[] };
