/** Everything that can be asked of the database. Each question is answered in a file of its own. */
import type {
  AskRow,
  EventPage,
  IntegrityReport,
  ListQuery,
  MessageQuery,
  MessageRow,
  SessionRow,
  StoredState,
  UsageRow,
} from "../../core/store.ts";
import type { ReadableStore } from "../readable-store.ts";
import { readAsk, readOpenAsks } from "./asks.ts";
import { BlockCache } from "./block-cache.ts";
import { checkDatabase } from "./check.ts";
import type { Connection } from "./connection.ts";
import { listSessions, SELECT_UNFINISHED } from "./list-sessions.ts";
import { LogReader } from "./log-reader.ts";
import { readHistory, readMessage } from "./messages.ts";
import { SESSION_COLUMNS, type SessionRecord, toSessionRow } from "./session-row.ts";
import { readUsage, type UsageQuery } from "./usage.ts";

export const SELECT_SESSION = `SELECT id, ${SESSION_COLUMNS} FROM session WHERE key = ?`;
const SELECT_NUMBER = "SELECT id FROM session WHERE key = ?";
export const SELECT_SNAPSHOT = "SELECT seq, json FROM snapshot WHERE session = ?";

export class SqliteReader implements ReadableStore {
  protected readonly connection: Connection;
  readonly #log: LogReader;
  #closing: Promise<void> | undefined;

  constructor(connection: Connection) {
    this.connection = connection;
    this.#log = new LogReader(connection, new BlockCache());
  }

  async loadState(session: string): Promise<StoredState | undefined> {
    return this.connection.snapshot(() => {
      const record = this.#find(session);
      if (!record) return undefined;
      const snapshot = this.connection.get<{ seq: number; json: string }>(SELECT_SNAPSHOT, record.id);
      return { row: toSessionRow(record), snapshot: snapshot && { ...snapshot } };
    });
  }

  async getSession(session: string): Promise<SessionRow | undefined> {
    const record = this.#find(session);
    return record && toSessionRow(record);
  }

  #find(session: string): (SessionRecord & { id: number }) | undefined {
    return this.connection.get(SELECT_SESSION, session);
  }

  #numberOf(session: string): number | undefined {
    return this.connection.get<{ id: number }>(SELECT_NUMBER, session)?.id;
  }

  async listSessions(query: ListQuery): Promise<{ sessions: SessionRow[]; cursor?: string }> {
    return listSessions(this.connection, query);
  }

  async unfinishedSessions(): Promise<string[]> {
    return this.connection.all<{ key: string }>(SELECT_UNFINISHED).map(({ key }) => key);
  }

  readEvents(session: string, after: number, limit: number, maxBytes?: number): Promise<EventPage> {
    return this.#log.readEvents(session, after, limit, maxBytes);
  }

  readRaws(session: string, after: number, limit: number, maxBytes?: number) {
    return this.#log.readRaws(session, after, limit, maxBytes);
  }

  async listMessages(session: string, query: MessageQuery) {
    const id = this.#numberOf(session);
    return id === undefined ? { messages: [], hasMore: false } : readHistory(this.connection, id, query);
  }

  async getMessage(session: string, message: string): Promise<MessageRow | undefined> {
    const id = this.#numberOf(session);
    return id === undefined ? undefined : readMessage(this.connection, id, message);
  }

  async getAsk(session: string, ask: string): Promise<AskRow | undefined> {
    return readAsk(this.connection, session, ask);
  }

  async openAsks(session?: string): Promise<(AskRow & { session: string })[]> {
    return readOpenAsks(this.connection, session);
  }

  async usage(query: UsageQuery): Promise<UsageRow[]> {
    return readUsage(this.connection, query);
  }

  check(): Promise<IntegrityReport> {
    return checkDatabase(this.connection);
  }

  close(): Promise<void> {
    this.#closing ??= this.finish();
    return this.#closing;
  }

  protected get closed(): boolean {
    return this.#closing !== undefined;
  }

  /** Runs once, when the store is closed. */
  protected async finish(): Promise<void> {
    this.connection.close();
  }
}
