/** What the reading commands need, from a running daemon or else from its data directory. */
import type { RawRecord } from "../core/raw-record.ts";
import type { ListQuery } from "../core/store.ts";
import type { AskView, SessionView } from "../engine/engine.ts";

export interface Reader {
  /** Last changed first; `cursor` leads to the next page. */
  listSessions(query: ListQuery): Promise<{ sessions: SessionView[]; cursor?: string }>;
  /** Throws when there is no such session. */
  session(id: string): Promise<SessionView>;
  /** Oldest first. */
  openAsks(): Promise<AskView[]>;
  /** Each event's JSON in order, as far as the log goes now. Throws when the session or the seq is unknown. */
  events(session: string, after: number): AsyncIterable<string>;
  /** What went over the agent's wire, in order, as far as it goes now. */
  records(session: string): AsyncIterable<RawRecord>;
  /** Idempotent. */
  close(): Promise<void>;
}
