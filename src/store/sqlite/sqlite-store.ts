/** The store on SQLite. This file only joins the parts; each question is answered in a file of its own. */
import type {
  AskRow,
  EventPage,
  IntegrityReport,
  ListQuery,
  MessageRow,
  SessionAppend,
  SessionRow,
  Store,
  StoredState,
  UsageRow,
} from "../../core/store.ts";
import { toStoreWriteError } from "../store-write-error.ts";
import { packBatch, writeBatch } from "./append.ts";
import { readAsk, readOpenAsks } from "./asks.ts";
import { BlockCache } from "./block-cache.ts";
import { checkDatabase } from "./check.ts";
import type { Connection } from "./connection.ts";
import { deleteSession } from "./delete-session.ts";
import { listSessions, SELECT_UNFINISHED } from "./list-sessions.ts";
import { LogReader } from "./log-reader.ts";
import { readHistory, readMessage } from "./messages.ts";
import { Sealer } from "./sealer.ts";
import { SESSION_COLUMNS, type SessionRecord, toSessionRow } from "./session-row.ts";
import { readUsage, type UsageQuery } from "./usage.ts";

export interface SqliteStoreOptions {
  /** Told when packing in the background failed. Nothing is lost then, the log only takes more room. */
  onSealError?(error: unknown): void;
}

const SELECT_SESSION = `SELECT id, ${SESSION_COLUMNS} FROM session WHERE key = ?`;
const SELECT_SNAPSHOT = "SELECT seq, json FROM snapshot WHERE session = ?";

export class SqliteStore implements Store {
  readonly #connection: Connection;
  readonly #reader: LogReader;
  readonly #sealer: Sealer;
  /** Batches are packed and written one after the other, in the order they were given. */
  #writing: Promise<unknown> = Promise.resolve();
  #closing: Promise<void> | undefined;

  constructor(connection: Connection, options: SqliteStoreOptions = {}) {
    this.#connection = connection;
    this.#reader = new LogReader(connection, new BlockCache());
    this.#sealer = new Sealer(connection, options.onSealError);
  }

  append(batch: readonly SessionAppend[]): Promise<void> {
    return this.#write(async () => {
      const packed = await packBatch(batch);
      for (const session of writeBatch(this.#connection, packed)) this.#sealer.request(session);
    });
  }

  deleteSession(session: string): Promise<boolean> {
    return this.#write(() => deleteSession(this.#connection, session));
  }

  #write<Result>(action: () => Result | Promise<Result>): Promise<Result> {
    if (this.#closing) return Promise.reject(new Error("The store is closed."));
    const result = this.#writing.then(action).catch((error: unknown) => {
      throw toStoreWriteError(error);
    });
    this.#writing = result.catch(() => {});
    return result;
  }

  async loadState(session: string): Promise<StoredState | undefined> {
    return this.#connection.snapshot(() => {
      const record = this.#find(session);
      if (!record) return undefined;
      const snapshot = this.#connection.get<{ seq: number; json: string }>(SELECT_SNAPSHOT, record.id);
      return { row: toSessionRow(record), snapshot: snapshot && { ...snapshot } };
    });
  }

  async getSession(session: string): Promise<SessionRow | undefined> {
    const record = this.#find(session);
    return record && toSessionRow(record);
  }

  #find(session: string): (SessionRecord & { id: number }) | undefined {
    return this.#connection.get(SELECT_SESSION, session);
  }

  async listSessions(query: ListQuery): Promise<{ sessions: SessionRow[]; cursor?: string }> {
    return listSessions(this.#connection, query);
  }

  async unfinishedSessions(): Promise<string[]> {
    return this.#connection.all<{ key: string }>(SELECT_UNFINISHED).map(({ key }) => key);
  }

  readEvents(session: string, after: number, limit: number, maxBytes?: number): Promise<EventPage> {
    return this.#reader.readEvents(session, after, limit, maxBytes);
  }

  readRaws(session: string, after: number, limit: number, maxBytes?: number) {
    return this.#reader.readRaws(session, after, limit, maxBytes);
  }

  async listMessages(session: string, query: { limit: number; before?: string }) {
    const record = this.#find(session);
    return record ? readHistory(this.#connection, record.id, query) : { messages: [], hasMore: false };
  }

  async getMessage(session: string, message: string): Promise<MessageRow | undefined> {
    const record = this.#find(session);
    return record && readMessage(this.#connection, record.id, message);
  }

  async getAsk(session: string, ask: string): Promise<AskRow | undefined> {
    return readAsk(this.#connection, session, ask);
  }

  async openAsks(session?: string): Promise<(AskRow & { session: string })[]> {
    return readOpenAsks(this.#connection, session);
  }

  async usage(query: UsageQuery): Promise<UsageRow[]> {
    return readUsage(this.#connection, query);
  }

  check(): Promise<IntegrityReport> {
    return checkDatabase(this.#connection);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#writing;
    await this.#sealer.idle();
    this.#connection.close();
  }
}
