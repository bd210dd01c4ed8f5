/** All reads of the database. Each has its own file. */
import type { MemoryPiece } from "../../core/memory-piece.ts";
import type { AuditPage, AuditQuery, InvitationRow, TokenRow } from "../../core/people-store.ts";
import type {
  AskQuery,
  AskRow,
  EventPage,
  IntegrityReport,
  ListQuery,
  MessageQuery,
  MessageRow,
  OpenAskRow,
  SearchPage,
  SearchQuery,
  SessionRow,
  StoredState,
  StoreHealth,
  UsageQuery,
  UsageRow,
} from "../../core/store.ts";
import { isDamage } from "../damaged-data.ts";
import { BlockCache } from "../format/block-cache.ts";
import { toPreparing, toSessionRow } from "../format/session-columns.ts";
import { ReadFaults, type ReadFaultsOptions } from "../read-faults.ts";
import { REMEDIES } from "../read-problems.ts";
import type { ReadableStore } from "../readable-store.ts";
import { readAsk, readOpenAsks } from "./asks.ts";
import { readAudit } from "./audit.ts";
import { checkDatabase } from "./check.ts";
import { findClientKey } from "./client-keys.ts";
import type { Connection } from "./connection.ts";
import { readInvitation, readInvitations } from "./invitations.ts";
import { listSessions, unfinishedSessions } from "./list-sessions.ts";
import { readMemory } from "./memory.ts";
import { readHistory, readMessage } from "./messages.ts";
import { searchMessages } from "./search-messages.ts";
import { assertSessionRecord, findLog, SESSION_COLUMNS, type SessionRecord } from "./session-row.ts";
import { readSnapshot, type Snapshot } from "./snapshot.ts";
import { SqliteLog } from "./sqlite-log.ts";
import { readTokens } from "./tokens.ts";
import { readUsage } from "./usage.ts";
import { WatchedFile } from "./watched-file.ts";

export const SELECT_SESSION = `SELECT ${SESSION_COLUMNS} FROM session WHERE key = ?`;
const SELECT_NEWEST = "SELECT key, head FROM session ORDER BY updated_at DESC LIMIT 1";

export class SqliteReader implements ReadableStore {
  protected readonly connection: Connection;
  protected readonly faults: ReadFaults;
  readonly #file: WatchedFile;
  protected readonly log: SqliteLog;
  #closing: Promise<void> | undefined;

  constructor(connection: Connection, options: ReadFaultsOptions = {}) {
    this.connection = connection;
    this.faults = new ReadFaults(options, REMEDIES.file);
    this.#file = new WatchedFile(connection.path);
    this.log = new SqliteLog(connection, new BlockCache());
  }

  loadState(session: string): Promise<StoredState | undefined> {
    return this.faults.ofSession(session, () =>
      this.connection.snapshot(() => {
        const record = this.#find(session);
        if (!record) return undefined;
        const preparing = toPreparing(record);
        const snapshot = this.#snapshotOf(record);
        return { row: toSessionRow(record), snapshot, ...(preparing && { preparing }) };
      }),
    );
  }

  getSession(session: string): Promise<SessionRow | undefined> {
    return this.faults.ofSession(session, () => {
      const record = this.#find(session);
      return record && toSessionRow(record);
    });
  }

  #find(session: string): SessionRecord | undefined {
    const record = this.connection.get<SessionRecord>(SELECT_SESSION, session);
    if (record) assertSessionRecord(record, session);
    return record;
  }

  /** The log gives the same state as a snapshot, only more slowly. */
  #snapshotOf({ id, key }: SessionRecord): Snapshot | undefined {
    try {
      return readSnapshot(this.connection, id);
    } catch (error) {
      if (!isDamage(error)) throw error;
      this.faults.note(key, error);
      return undefined;
    }
  }

  listSessions(query: ListQuery): Promise<{ sessions: SessionRow[]; cursor?: string }> {
    return this.faults.ofAll("listSessions", () => listSessions(this.connection, query, this.#note));
  }

  unfinishedSessions(): Promise<string[]> {
    return this.faults.ofAll("unfinishedSessions", () => unfinishedSessions(this.connection, this.#note));
  }

  readEvents(session: string, after: number, limit: number, maxBytes?: number): Promise<EventPage> {
    return this.faults.ofSession(session, () => this.log.readEvents(session, after, limit, maxBytes));
  }

  readRaws(session: string, after: number, limit: number, maxBytes?: number) {
    return this.faults.ofSession(session, () => this.log.readRaws(session, after, limit, maxBytes));
  }

  listMessages(session: string, query: MessageQuery) {
    return this.faults.ofSession(session, async () => {
      const log = findLog(this.connection, session);
      if (!log) return { messages: [], hasMore: false };
      return readHistory(this.connection, log.id, query, (error) => this.#note(session, error));
    });
  }

  getMessage(session: string, message: string): Promise<MessageRow | undefined> {
    return this.faults.ofSession(session, async () => {
      const log = findLog(this.connection, session);
      return log && readMessage(this.connection, log.id, message, (error) => this.#note(session, error));
    });
  }

  getAsk(session: string, ask: string): Promise<AskRow | undefined> {
    return this.faults.ofSession(session, () => {
      const log = findLog(this.connection, session);
      return log && readAsk(this.connection, log.id, ask);
    });
  }

  findKey(dialect: string, key: string): Promise<{ session: string; seq: number } | undefined> {
    return this.faults.ofAll("findKey", () => findClientKey(this.connection, dialect, key));
  }

  openAsks(query: AskQuery = {}): Promise<{ asks: OpenAskRow[]; cursor?: string }> {
    const { session } = query;
    if (session === undefined)
      return this.faults.ofAll("openAsks", () => readOpenAsks(this.connection, query, this.#note));
    return this.faults.ofSession(session, () =>
      readOpenAsks(this.connection, query, (_, error) => {
        throw error;
      }),
    );
  }

  searchMessages(query: SearchQuery): Promise<SearchPage> {
    return this.faults.ofAll("searchMessages", (leaveOut) =>
      this.connection.snapshot(() => searchMessages(this.connection, query, this.#note, leaveOut)),
    );
  }

  readMemory(session: string, part?: string): AsyncIterable<MemoryPiece> {
    return this.faults.eachOfSession(session, readMemory(this.connection, session, part));
  }

  usage(query: UsageQuery): Promise<{ rows: UsageRow[]; cursor?: string }> {
    return this.faults.ofAll("usage", () => readUsage(this.connection, query, this.#note));
  }

  listTokens(): Promise<TokenRow[]> {
    return this.faults.ofAll("listTokens", (leaveOut) => readTokens(this.connection, leaveOut));
  }

  listInvitations(session?: string): Promise<InvitationRow[]> {
    return this.faults.ofAll("listInvitations", (leaveOut) =>
      readInvitations(this.connection, session, leaveOut),
    );
  }

  getInvitation(id: string): Promise<InvitationRow | undefined> {
    return this.faults.ofAll("getInvitation", () => readInvitation(this.connection, id));
  }

  readAudit(query: AuditQuery): Promise<AuditPage> {
    return this.faults.ofAll("readAudit", (leaveOut) => readAudit(this.connection, query, leaveOut));
  }

  health(): StoreHealth {
    return this.faults.health(() => {
      this.#file.assertWhole();
      this.connection.get(SELECT_NEWEST);
    });
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

  readonly #note = (session: string, error: unknown) => this.faults.note(session, error);
}
