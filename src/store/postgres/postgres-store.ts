/** The store on PostgreSQL: the reader, and the calls that write. */
import type { Claim } from "../../core/ownership.ts";
import type { AuditEntry, AuditRow, InvitationRow, TokenRow } from "../../core/people-store.ts";
import type { AppendResult, ClientKey, SessionAppend } from "../../core/store.ts";
import type { SessionHome } from "../copy-source.ts";
import type { CopyTarget } from "../copy-target.ts";
import type { ReadFaultsOptions } from "../read-faults.ts";
import { Sealer, type SealerOptions } from "../sealer.ts";
import { packBatch, writeBatch } from "./append.ts";
import { appendAudit, importAudit } from "./audit.ts";
import { moveClientKey } from "./client-keys.ts";
import type { PostgresConnection } from "./connection.ts";
import { deleteSession } from "./delete-session.ts";
import { KnownHeads } from "./known-heads.ts";
import { packSession } from "./pack-session.ts";
import {
  deleteExpired,
  deleteInvitation,
  deleteToken,
  insertToken,
  redeemInvitation,
  updateLastUse,
  writeInvitation,
} from "./people.ts";
import { toWriteError } from "./postgres-failure.ts";
import { PostgresReader } from "./postgres-reader.ts";
import { decodeText, encodeText } from "./stored-text.ts";
import { TailVacuum } from "./tail-vacuum.ts";

export interface PostgresStoreOptions
  extends ReadFaultsOptions,
    Pick<SealerOptions, "sealDelayMs" | "onSealError"> {}

/** How often the connection that writes is looked after, so that a loss shows and is mended without a request. */
const PROBE_MS = 2000;

const IMPORT_HOMES = `UPDATE log_head SET home = given.home
  FROM unnest($1::text[], $2::text[]) AS given (key, home) JOIN session ON session.key = given.key
  WHERE log_head.session = session.id`;

export class PostgresStore extends PostgresReader implements CopyTarget {
  readonly #sealer: Sealer;
  readonly #vacuum: TailVacuum;
  readonly #heads: KnownHeads;
  readonly #probe: NodeJS.Timeout;
  /** Batches are packed and written one after the other, in the order they were given. */
  #writing: Promise<unknown> = Promise.resolve();

  constructor(connection: PostgresConnection, options: PostgresStoreOptions = {}) {
    super(connection, options);
    this.#heads = new KnownHeads(connection);
    this.#vacuum = new TailVacuum(connection);
    this.#sealer = new Sealer(
      {
        seal: async (session) => this.#vacuum.note(await packSession(connection, session)),
        findLeftovers: async () => {
          const found = await connection.query<{ session: number }>("SELECT DISTINCT session FROM tail");
          return found.map(({ session }) => session);
        },
      },
      { ...options, onDamage: (session, error) => void this.#noteDamage(session, error) },
    );
    void this.#sealer.requestLeftovers();
    this.#probe = setInterval(() => void this.connection.probe(), PROBE_MS).unref();
  }

  append(batch: readonly SessionAppend[]): Promise<AppendResult> {
    const packing = packBatch(batch);
    // Reported when its turn comes, which may be later.
    packing.catch(() => {});
    return this.#write(async () => {
      const packed = await packing;
      if (packed.length === 0) return { refused: [] };
      const { sealable, refused, cutShort } = await writeBatch(this.connection, this.#heads, packed);
      for (const { session, isLong } of sealable) this.#sealer.request(session, isLong);
      return cutShort.length > 0 ? { refused, cutShort } : { refused };
    });
  }

  deleteSession(session: string, claim?: Claim): Promise<boolean> {
    return this.#write(async () => {
      this.#heads.forget(session);
      const existed = await deleteSession(this.connection, session, claim);
      this.faults.forget(session);
      return existed;
    });
  }

  moveKey(session: string, key: ClientKey): Promise<void> {
    return this.#write(() => moveClientKey(this.connection, session, key));
  }

  addToken(row: TokenRow): Promise<void> {
    const kept = structuredClone(row);
    return this.#write(() => insertToken(this.connection, kept));
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

  /** An entry whose writing failed without an answer may be there twice, if it is given again. */
  appendAudit(entries: readonly AuditEntry[]): Promise<void> {
    return this.#write(() => appendAudit(this.connection, entries));
  }

  /** Entries with the numbers they have, for copies into an empty database. */
  importAudit(entries: readonly AuditRow[]): Promise<void> {
    return this.#write(() => importAudit(this.connection, entries));
  }

  /** For copies, too. */
  async importHomes(homes: readonly SessionHome[]): Promise<void> {
    const sessions = homes.map(({ session }) => encodeText(session));
    await this.#write(() => this.connection.write(IMPORT_HOMES, [sessions, homes.map(({ home }) => home)]));
  }

  async #noteDamage(session: number, error: unknown): Promise<void> {
    const found = await this.connection
      .query<{ key: string }>("SELECT key FROM session WHERE id = $1", [session])
      .catch(() => []);
    this.faults.note(found[0] ? decodeText(found[0].key) : `number ${session}`, error);
  }

  #write<Result>(action: () => Promise<Result>): Promise<Result> {
    if (this.closed) return Promise.reject(new Error("The store is closed."));
    const result = this.#writing.then(action).catch((error: unknown) => {
      throw toWriteError(error);
    });
    this.#writing = result.catch(() => {});
    return result;
  }

  protected override async finish(): Promise<void> {
    clearInterval(this.#probe);
    await this.#writing;
    await this.#sealer.finish();
    await this.#vacuum.finish();
    await super.finish();
  }
}
