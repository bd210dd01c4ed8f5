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
import { assertContent } from "../format/checksum.ts";
import { ReadFaults, type ReadFaultsOptions } from "../read-faults.ts";
import { REMEDIES } from "../read-problems.ts";
import type { ReadableStore } from "../readable-store.ts";
import { readAsk, readOpenAsks } from "./asks.ts";
import { readAudit } from "./audit.ts";
import { checkDatabase } from "./check.ts";
import { findClientKey } from "./client-keys.ts";
import type { PostgresConnection, Statement } from "./connection.ts";
import { listSessions, unfinishedSessions } from "./list-sessions.ts";
import { readMemory } from "./memory.ts";
import { readHistory, readMessage } from "./messages.ts";
import { readInvitation, readInvitations, readTokens, readTokensVersion } from "./people.ts";
import { PostgresLog } from "./postgres-log.ts";
import { searchMessages } from "./search-messages.ts";
import {
  decodePreparing,
  decodeSession,
  SESSION_COLUMNS,
  SESSIONS,
  type SessionRecord,
} from "./session-row.ts";
import { encodeText } from "./stored-text.ts";
import { readUsage } from "./usage.ts";

const SELECT_SESSION: Statement = {
  name: "select_session",
  text: `SELECT ${SESSION_COLUMNS} FROM ${SESSIONS} WHERE session.key = $1`,
};

/** With one statement, so that both are of the same moment. */
const SELECT_STATE = `SELECT ${SESSION_COLUMNS}, snapshot.seq, snapshot.checksum, snapshot.data
  FROM ${SESSIONS} LEFT JOIN snapshot ON snapshot.session = session.id WHERE session.key = $1`;

type StateRecord = SessionRecord & { seq: number | null; checksum: number | null; data: Buffer | null };

export class PostgresReader implements ReadableStore {
  protected readonly connection: PostgresConnection;
  protected readonly faults: ReadFaults;
  readonly #log: PostgresLog;
  #closing: Promise<void> | undefined;

  constructor(connection: PostgresConnection, options: ReadFaultsOptions = {}) {
    this.connection = connection;
    this.faults = new ReadFaults(options, REMEDIES.postgres);
    this.#log = new PostgresLog(connection, new BlockCache());
  }

  loadState(session: string): Promise<StoredState | undefined> {
    return this.faults.ofSession(session, async () => {
      const [record] = await this.connection.query<StateRecord>(SELECT_STATE, [encodeText(session)]);
      if (!record) return undefined;
      const preparing = decodePreparing(record);
      const snapshot = this.#snapshotOf(session, record);
      return { row: decodeSession(record), snapshot, ...(preparing && { preparing }) };
    });
  }

  getSession(session: string): Promise<SessionRow | undefined> {
    return this.faults.ofSession(session, async () => {
      const [record] = await this.connection.query<SessionRecord>(SELECT_SESSION, [encodeText(session)]);
      return record && decodeSession(record);
    });
  }

  /** The log gives the same state as a snapshot, only more slowly. */
  #snapshotOf(session: string, { id, seq, checksum, data }: StateRecord): StoredState["snapshot"] {
    if (seq === null || data === null) return undefined;
    try {
      assertContent(checksum, "the snapshot", data, "blob", `${id} ${seq}`);
      return { seq, json: data.toString() };
    } catch (error) {
      if (!isDamage(error)) throw error;
      this.faults.note(session, error);
      return undefined;
    }
  }

  listSessions(query: ListQuery): Promise<{ sessions: SessionRow[]; cursor?: string }> {
    return this.faults.ofAll("listSessions", () => listSessions(this.connection, query, this.#note));
  }

  unfinishedSessions(): Promise<string[]> {
    return this.faults.ofAll("unfinishedSessions", () => unfinishedSessions(this.connection));
  }

  readEvents(session: string, after: number, limit: number, maxBytes?: number): Promise<EventPage> {
    return this.faults.ofSession(session, () => this.#log.readEvents(session, after, limit, maxBytes));
  }

  readRaws(session: string, after: number, limit: number, maxBytes?: number) {
    return this.faults.ofSession(session, () => this.#log.readRaws(session, after, limit, maxBytes));
  }

  listMessages(session: string, query: MessageQuery) {
    return this.faults.ofSession(session, async () => {
      const end = await this.#log.findEnd(session);
      if (!end) return { messages: [], hasMore: false };
      return readHistory(this.connection, end.session, query, (error) => this.#note(session, error));
    });
  }

  getMessage(session: string, message: string): Promise<MessageRow | undefined> {
    return this.faults.ofSession(session, async () => {
      const end = await this.#log.findEnd(session);
      return end && readMessage(this.connection, end.session, message, (error) => this.#note(session, error));
    });
  }

  getAsk(session: string, ask: string): Promise<AskRow | undefined> {
    return this.faults.ofSession(session, async () => {
      const end = await this.#log.findEnd(session);
      return end && readAsk(this.connection, end.session, ask);
    });
  }

  findKey(dialect: string, key: string): Promise<{ session: string; seq: number } | undefined> {
    return this.faults.ofAll("findKey", () => findClientKey(this.connection, dialect, key));
  }

  openAsks(query: AskQuery = {}): Promise<{ asks: OpenAskRow[]; cursor?: string }> {
    return this.faults.ofAll("openAsks", () => readOpenAsks(this.connection, query));
  }

  searchMessages(query: SearchQuery): Promise<SearchPage> {
    return this.faults.ofAll("searchMessages", () => searchMessages(this.connection, query, this.#note));
  }

  readMemory(session: string, part?: string): AsyncIterable<MemoryPiece> {
    return this.faults.eachOfSession(session, readMemory(this.connection, session, part));
  }

  usage(query: UsageQuery): Promise<{ rows: UsageRow[]; cursor?: string }> {
    return this.faults.ofAll("usage", () => readUsage(this.connection, query));
  }

  listTokens(): Promise<TokenRow[]> {
    return this.faults.ofAll("listTokens", (leaveOut) => readTokens(this.connection, leaveOut));
  }

  tokensVersion(): Promise<number> {
    return this.faults.ofAll("tokensVersion", () => readTokensVersion(this.connection));
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
    return this.faults.ofAll("readAudit", () => readAudit(this.connection, query));
  }

  /** By what the last statements met: it must not wait for the database. */
  health(): StoreHealth {
    return this.faults.health(() => {
      if (this.connection.failure) throw this.connection.failure;
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
    await this.connection.close();
  }

  readonly #note = (session: string, error: unknown) => this.faults.note(session, error);
}
