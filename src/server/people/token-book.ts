/** The tokens in use. They are read when the daemon starts, so that a request waits for no store. */
import type { Logger } from "pino";
import { isBuiltInName } from "../../core/built-in-names.ts";
import { InterlinguaError } from "../../core/error.ts";
import { foldName } from "../../core/fold-name.ts";
import { MAX_TOKENS, type PeopleStore, type TokenRow } from "../../core/people-store.ts";
import { type Access, OWNER } from "../../core/rights.ts";
import { tokenExists, tooManyTokens } from "../../protocol/refusals.ts";
import type { Callers } from "../access/callers.ts";
import { isCredential, TokenCheck } from "./compare-tokens.ts";
import { createCredential, credentialId } from "./credential.ts";
import { TOKEN_DAY_MS } from "./limits.ts";
import { WakeAt } from "./wake-at.ts";
import { written } from "./written.ts";

export interface TokenBookDependencies {
  store: Pick<PeopleStore, "listTokens" | "addToken" | "noteTokenUse" | "removeToken" | "removeExpired">;
  /** The token of the daemon itself. */
  ownToken: string;
  /** A token that is taken besides. */
  formerToken?: string;
  logger: Pick<Logger, "error" | "warn">;
  now?: () => number;
}

/** What a token is made of, besides what it gets by itself. */
export type NewToken = Pick<TokenRow, "name" | "role" | "sessions" | "agents" | "expiresAt" | "createdBy">;

/** Uses of one token are written down at most so often. */
const USE_MS = 60_000;

/** Of how many it is kept that they ended: more than end while the store is read. */
const MAX_GONE = 10_000;
/** Until tokens that could not be read are read again, and at the most. */
const [FIRST_PAUSE_MS, MAX_PAUSE_MS] = [500, 30_000];

interface Entry {
  row: TokenRow;
  readonly access: Access;
  /** It could not be removed from the store. It is not accepted, and revoking it again tries again. */
  isRevoked?: boolean;
}

export class TokenBook implements Callers {
  readonly #dependencies: TokenBookDependencies;
  readonly #own: readonly TokenCheck[];
  readonly #now: () => number;
  readonly #entries = new Map<string, Entry>();
  /** Names of tokens that are being stored. */
  readonly #reserved = new Set<string>();
  readonly #listeners = new Set<(token: string) => void>();
  readonly #changeListeners = new Set<() => void>();
  /** Tokens that ended here, the last ones. */
  readonly #gone = new Set<string>();
  #writes = 0;
  #isClosed = false;
  readonly #wake = new WakeAt(() => this.#expire());
  #reading: NodeJS.Timeout | undefined;

  private constructor(dependencies: TokenBookDependencies) {
    this.#dependencies = dependencies;
    const { ownToken, formerToken = [] } = dependencies;
    this.#own = [ownToken, formerToken].flat().map((token) => new TokenCheck(token));
    this.#now = dependencies.now ?? Date.now;
  }

  /** If the tokens cannot be read, there are none but that of the daemon until they can, and the log says so. */
  static async open(dependencies: TokenBookDependencies): Promise<TokenBook> {
    const { store, logger } = dependencies;
    const book = new TokenBook(dependencies);
    try {
      for (const row of await store.listTokens()) book.#put(row);
      book.#expire();
    } catch (error) {
      logger.error({ err: error }, "the tokens cannot be read; only that of the daemon is known");
      book.#readLater(FIRST_PAUSE_MS);
    }
    return book;
  }

  #readLater(pauseMs: number): void {
    const read = async () => {
      const { store, logger } = this.#dependencies;
      const writes = this.#writes;
      const rows = await store.listTokens().catch(() => undefined);
      if (this.#isClosed) return;
      if (!rows || this.#writes !== writes) return this.#readLater(Math.min(2 * pauseMs, MAX_PAUSE_MS));
      this.replaceAll(rows);
      logger.warn("the tokens can be read again");
    };
    this.#reading = setTimeout(() => void read(), pauseMs).unref();
  }

  find(token: string): Access | undefined {
    // All are always compared.
    const isOwn = this.#own.map((own) => own.accepts(token)).includes(true);
    const entry = this.#entries.get(credentialId("itk", token) ?? "");
    const isRight = isCredential(token, entry?.row.hash);
    if (isOwn) return OWNER;
    if (!isRight || !entry || entry.isRevoked || !this.#isLive(entry.row)) return undefined;
    this.#noteUse(entry);
    return entry.access;
  }

  isAccepted(access: Access): boolean {
    if (access.token === undefined) return true;
    const entry = this.#entries.get(access.token);
    return entry !== undefined && !entry.isRevoked && this.#isLive(entry.row);
  }

  /** Throws `token_exists` if the name is in use, and `too_many_tokens`. */
  async create(given: NewToken): Promise<{ token: string; row: TokenRow }> {
    return this.reserve(given, async (token, row) => {
      await written(this.#dependencies.store.addToken(row));
      return { token, row };
    });
  }

  /**
   * For whoever stores a token with something else. It is known once `store` gives an answer, and its name is nobody
   * else's meanwhile. Without one there is no token.
   */
  async reserve<Result>(
    given: NewToken & Pick<TokenRow, "invitation">,
    store: (token: string, row: TokenRow) => Promise<Result | undefined>,
  ): Promise<Result> {
    this.#assertRoom();
    if (this.isTaken(given.name)) throw tokenExists(given.name);
    const { id, text, hash } = createCredential("itk");
    const row: TokenRow = { id, hash, ...given, createdAt: this.#now() };
    const name = foldName(given.name);
    this.#reserved.add(name);
    this.#writes += 1;
    try {
      const result = await store(text, row);
      if (result === undefined) throw new Error("The token was not stored.");
      this.#put(row);
      this.#wakeForNext();
      return result;
    } finally {
      this.#reserved.delete(name);
      this.#writes += 1;
      this.#tellChange();
    }
  }

  /** Whether a token has this name, or one that reads like it. */
  isTaken(name: string): boolean {
    const wanted = foldName(name);
    if (isBuiltInName(name) || this.#reserved.has(wanted)) return true;
    return this.list().some((row) => foldName(row.name) === wanted);
  }

  /** Those that have not expired, in the order they were made. */
  list(): TokenRow[] {
    return [...this.#entries.values()].flatMap(({ row }) => (this.#isLive(row) ? [row] : []));
  }

  /**
   * Ends what it is used for at once. Throws `token_not_found`, and what the store throws when it cannot be written: then it
   * is not accepted until the next start.
   */
  async revoke(id: string): Promise<TokenRow> {
    const entry = this.#entries.get(id);
    if (!entry || !this.#isLive(entry.row)) throw tokenNotFound(id);
    entry.isRevoked = true;
    this.#noteGone(id);
    this.#tellEnd(id);
    try {
      await written(this.#dependencies.store.removeToken(id));
      this.#entries.delete(id);
      return entry.row;
    } finally {
      this.#tellChange();
    }
  }

  /** Tokens that the store has removed already. */
  forget(isGone: (row: TokenRow) => boolean): void {
    for (const { row } of this.#entries.values()) if (isGone(row)) this.#drop(row.id);
    this.#tellChange();
  }

  /** Changes whenever a token is being stored or was. */
  get writes(): number {
    return this.#writes;
  }

  /** All tokens there are, as the store has them; other daemons may have changed them. Read while `writes` did not change. */
  replaceAll(rows: readonly TokenRow[]): void {
    const found = new Map(rows.map((row) => [row.id, row]));
    for (const [id, { isRevoked }] of this.#entries) if (!found.has(id) && !isRevoked) this.#drop(id);
    for (const [id, row] of found) {
      const entry = this.#entries.get(id);
      if (!entry) {
        if (!this.#gone.has(id)) this.#put(row);
      } else if ((row.lastUsedAt ?? 0) > (entry.row.lastUsedAt ?? 0))
        entry.row = { ...entry.row, lastUsedAt: row.lastUsedAt };
    }
    this.#expire();
  }

  /** Calls it after tokens were added or removed here. Returns a function that unsubscribes. */
  onChange(listener: () => void): () => void {
    this.#changeListeners.add(listener);
    return () => this.#changeListeners.delete(listener);
  }

  /** Of all tokens but that of the daemon: they are looked at again. */
  endAll(): void {
    for (const id of this.#entries.keys()) this.#tellEnd(id);
  }

  /** Calls `listener` with the id of each token that is revoked or expires. */
  onEnd(listener: (token: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#reading);
    this.#wake.close();
  }

  #put(row: TokenRow): void {
    const { id, role, sessions, agents, expiresAt } = row;
    // The token may be older than the built-in name. Logs must not take its holder for the built-in principal.
    const name = isBuiltInName(row.name) ? `token ${row.name}` : row.name;
    const access: Access = {
      token: id,
      name,
      role,
      ...(sessions && { sessions }),
      ...(agents && { agents }),
      ...(expiresAt !== undefined && { expiresAt }),
    };
    // It may have been read from the store before it was known to be stored.
    if (!this.#entries.has(id)) this.#entries.set(id, { row, access: Object.freeze(access) });
  }

  /** No request waits for it. */
  #noteUse(entry: Entry): void {
    const { id, lastUsedAt = 0 } = entry.row;
    const now = this.#now();
    if (Math.abs(now - lastUsedAt) < USE_MS) return;
    entry.row = { ...entry.row, lastUsedAt: now };
    setImmediate(() => {
      if (this.#isClosed || entry.isRevoked) return;
      const { store, logger } = this.#dependencies;
      store.noteTokenUse(id, now).catch((error: unknown) => {
        logger.warn({ err: error, token: id }, "when a token was last used could not be written");
      });
    });
  }

  #drop(id: string): void {
    if (!this.#entries.delete(id)) return;
    this.#noteGone(id);
    this.#tellEnd(id);
  }

  /** What is read from the store may be older than this. */
  #noteGone(id: string): void {
    this.#gone.add(id);
    for (const oldest of this.#gone) {
      if (this.#gone.size <= MAX_GONE) return;
      this.#gone.delete(oldest);
    }
  }

  #tellChange(): void {
    for (const listener of this.#changeListeners) listener();
  }

  #tellEnd(id: string): void {
    for (const listener of this.#listeners) listener(id);
  }

  #isLive({ expiresAt }: TokenRow): boolean {
    return expiresAt === undefined || expiresAt > this.#now();
  }

  #expire(): void {
    const { store, logger } = this.#dependencies;
    const expired = [...this.#entries.values()].filter(({ row }) => !this.#isLive(row));
    for (const { row } of expired) this.#drop(row.id);
    this.#wakeForNext();
    if (expired.length === 0) return;
    const now = this.#now();
    // An invitation is kept as long as its token might be.
    store.removeExpired({ tokens: now, invitations: now - TOKEN_DAY_MS }).catch((error: unknown) => {
      logger.warn({ err: error }, "expired tokens could not be removed; they are not accepted any more");
    });
  }

  #wakeForNext(): void {
    const times = [...this.#entries.values()].flatMap(({ row }) => row.expiresAt ?? []);
    this.#wake.set(times.length > 0 ? Math.min(...times) - this.#now() : undefined);
  }

  #assertRoom(): void {
    if (this.#entries.size + this.#reserved.size < MAX_TOKENS) return;
    throw tooManyTokens(MAX_TOKENS);
  }
}

export function tokenNotFound(id: string): InterlinguaError {
  return new InterlinguaError(
    "token_not_found",
    `There is no token "${id}". GET /v1/tokens lists those there are; one that was revoked or has expired is gone.`,
  );
}
