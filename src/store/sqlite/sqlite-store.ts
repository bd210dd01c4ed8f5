/** The store on SQLite: the reader, and the calls that write. */
import type { AuditEntry, AuditRow, InvitationRow, TokenRow } from "../../core/people-store.ts";
import type { AppendResult, ClientKey, SessionAppend } from "../../core/store.ts";
import type { CopyTarget } from "../copy-target.ts";
import type { ReadFaultsOptions } from "../read-faults.ts";
import { Sealer, type SealerOptions } from "../sealer.ts";
import { toStoreWriteError } from "../store-write-error.ts";
import { packBatch, writeBatch } from "./append.ts";
import { appendAudit, importAudit } from "./audit.ts";
import { moveClientKey } from "./client-keys.ts";
import type { Connection } from "./connection.ts";
import { deleteSession } from "./delete-session.ts";
import { deleteExpired, deleteInvitation, redeemInvitation, writeInvitation } from "./invitations.ts";
import { sealSession } from "./seal-session.ts";
import { findLogByNumber } from "./session-row.ts";
import { SqliteReader } from "./sqlite-reader.ts";
import { TextBacklog } from "./text-backlog.ts";
import { TextIndexer } from "./text-indexer.ts";
import { deleteToken, insertToken, updateLastUse } from "./tokens.ts";

export interface SqliteStoreOptions
  extends ReadFaultsOptions,
    Pick<SealerOptions, "sealDelayMs" | "onSealError"> {
  /** Between writes of older texts. */
  backlogPauseMs?: number;
  /** How long the words of a message may wait for those of others before they are indexed. */
  indexDelayMs?: number;
}

export const SELECT_LEFTOVERS = "SELECT DISTINCT session FROM tail";

export class SqliteStore extends SqliteReader implements CopyTarget {
  readonly #sealer: Sealer;
  readonly #indexer: TextIndexer;
  readonly #backlog: TextBacklog;
  /** Batches are packed and written one after the other, in the order they were given. */
  #writing: Promise<unknown> = Promise.resolve();

  constructor(connection: Connection, options: SqliteStoreOptions = {}) {
    super(connection, options);
    const onDamage = (session: number, error: unknown) => this.#noteDamage(session, error);
    this.#sealer = new Sealer(
      {
        seal: (session) => sealSession(connection, session),
        findLeftovers: () =>
          connection.all<{ session: number }>(SELECT_LEFTOVERS).map(({ session }) => session),
      },
      { ...options, onDamage },
    );
    void this.#sealer.requestLeftovers();
    const { indexDelayMs, onSealError: onError } = options;
    this.#indexer = new TextIndexer(connection, { indexDelayMs, onError, onDamage });
    this.#indexer.requestLeftovers();
    this.#backlog = new TextBacklog(connection, {
      readEvents: (...page) => this.log.readEvents(...page),
      write: (action) => this.#write(action),
      onTexts: (count) => this.#indexer.request(count),
      onError,
      pauseMs: options.backlogPauseMs,
    });
    this.#backlog.start();
  }

  append(batch: readonly SessionAppend[]): Promise<AppendResult> {
    const packing = packBatch(batch);
    // Reported when its turn comes, which may be later.
    packing.catch(() => {});
    return this.#write(async () => {
      const wrapWrite = this.faults.whileWriting;
      for (const { session, isLong } of writeBatch(this.connection, await packing, wrapWrite))
        this.#sealer.request(session, isLong);
      this.#indexer.request(batch.reduce((count, { texts = [] }) => count + texts.length, 0));
      return { refused: [] };
    });
  }

  deleteSession(session: string): Promise<boolean> {
    return this.#write(() => {
      const existed = this.faults.whileWriting(session, () => deleteSession(this.connection, session));
      this.faults.forget(session);
      return existed;
    });
  }

  moveKey(session: string, key: ClientKey): Promise<void> {
    return this.#write(() =>
      this.faults.whileWriting(session, () => moveClientKey(this.connection, session, key)),
    );
  }

  addToken(row: TokenRow): Promise<void> {
    return this.#write(() => insertToken(this.connection, row));
  }

  noteTokenUse(id: string, at: number): Promise<void> {
    return this.#write(() => updateLastUse(this.connection, id, at));
  }

  removeToken(id: string): Promise<boolean> {
    return this.#write(() => deleteToken(this.connection, id));
  }

  addInvitation(row: InvitationRow): Promise<void> {
    return this.#write(() => writeInvitation(this.connection, row));
  }

  redeemInvitation(id: string, token: TokenRow): Promise<boolean> {
    return this.#write(() => redeemInvitation(this.connection, id, token));
  }

  removeInvitation(id: string): Promise<boolean> {
    return this.#write(() => deleteInvitation(this.connection, id));
  }

  removeExpired(until: { tokens: number; invitations: number }): Promise<void> {
    return this.#write(() => deleteExpired(this.connection, until));
  }

  appendAudit(entries: readonly AuditEntry[]): Promise<void> {
    return this.#write(() => appendAudit(this.connection, entries));
  }

  /** Entries with the numbers they have, for copies into an empty database. */
  importAudit(entries: readonly AuditRow[]): Promise<void> {
    return this.#write(() => importAudit(this.connection, entries));
  }

  #noteDamage(session: number, error: unknown): void {
    this.faults.note(keyOf(this.connection, session) ?? `number ${session}`, error);
  }

  #write<Result>(action: () => Result | Promise<Result>): Promise<Result> {
    if (this.closed) return Promise.reject(new Error("The store is closed."));
    const result = this.#writing.then(action).catch((error: unknown) => {
      throw toStoreWriteError(error);
    });
    this.#writing = result.catch(() => {});
    return result;
  }

  protected override async finish(): Promise<void> {
    await this.#backlog.finish();
    await this.#writing;
    await this.#sealer.finish();
    await this.#indexer.finish();
    await super.finish();
  }
}

/** Undefined when the session's own row is damaged, too. */
function keyOf(connection: Connection, session: number): string | undefined {
  try {
    return findLogByNumber(connection, session)?.key;
  } catch {
    return undefined;
  }
}
