/**
 * Keeps the tokens in step with a store that other daemons change, too. They tell each other at once that something has changed;
 * a number in the store, looked at every second, says it to those who were not told. Who cannot look at it accepts nobody
 * after a while: a token may have been revoked.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { InterlinguaError } from "../../core/error.ts";
import type { PeerNews } from "../../core/peer-news.ts";
import type { PeopleStore } from "../../core/people-store.ts";
import type { Access } from "../../core/rights.ts";
import type { Callers } from "../access/callers.ts";
import { credentialId } from "./credential.ts";
import type { TokenBook } from "./token-book.ts";

export interface SharedTokensOptions {
  book: TokenBook;
  store: Pick<PeopleStore, "listTokens"> & Required<Pick<PeopleStore, "tokensVersion">>;
  news: Pick<PeerNews, "tell" | "listen">;
  onFault(error: unknown): void;
  times?: Partial<SharedTokenTimes>;
}

export interface SharedTokenTimes {
  /** Between two looks at the store. */
  pollMs: number;
  /** Between two looks for tokens that are unknown here, however many are shown. */
  lookUpMs: number;
  /** How long tokens are accepted while the store cannot be read. */
  trustMs: number;
}

const DEFAULT_TIMES: SharedTokenTimes = { pollMs: 1000, lookUpMs: 50, trustMs: 30_000 };

const TOPIC = "tokens";
/** Tokens that are stored while all are read make it read again. */
const READ_ATTEMPTS = 5;

export class SharedTokens implements Callers {
  readonly #options: SharedTokensOptions;
  readonly #times: SharedTokenTimes;
  readonly #stops: (() => void)[];
  readonly #timer: NodeJS.Timeout;
  /** That of the tokens in the book. */
  #version: number | undefined;
  /** When the store was last asked, of those times that it answered. */
  #checkedAt = performance.now();
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;
  /** A look for unknown tokens that has not begun. */
  #look: Promise<void> | undefined;
  #lastLookUp = Number.NEGATIVE_INFINITY;
  #isTrusted = true;
  #isClosed = false;

  constructor(options: SharedTokensOptions) {
    const { book, news } = options;
    this.#options = options;
    this.#times = { ...DEFAULT_TIMES, ...options.times };
    this.#stops = [book.onChange(() => news.tell(TOPIC, true)), news.listen(TOPIC, () => void this.check())];
    this.#timer = setInterval(() => void this.check(), this.#times.pollMs).unref();
    void this.check();
  }

  find(token: string): Access | undefined {
    const access = this.#options.book.find(token);
    // That of the daemon itself needs no store.
    if (access?.token !== undefined) this.#assertTrusted();
    return access;
  }

  isAccepted(access: Access): boolean {
    if (access.token !== undefined && !this.#checkTrust()) return false;
    return this.#options.book.isAccepted(access);
  }

  /** For one that is unknown here. Guesses share one look at a number, and another one only after a while. */
  async lookUp(token: string): Promise<Access | undefined> {
    if (credentialId("itk", token) === undefined) return undefined;
    await this.#lookSoon();
    return this.find(token);
  }

  /** With when tokens were last used elsewhere. */
  async refresh(): Promise<void> {
    this.#version = undefined;
    await this.check();
  }

  /** Resolves when the store was asked after this call. Never rejects. */
  check(): Promise<void> {
    if (!this.#running) return this.#run();
    this.#next ??= this.#running.then(() => {
      this.#next = undefined;
      return this.#run();
    });
    return this.#next;
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#timer);
    for (const stop of this.#stops) stop();
  }

  /** One look for all who come before it begins. */
  #lookSoon(): Promise<void> {
    this.#look ??= this.#lookLater();
    return this.#look;
  }

  async #lookLater(): Promise<void> {
    const waitMs = this.#lastLookUp + this.#times.lookUpMs - performance.now();
    await (waitMs > 0 ? sleep(waitMs) : undefined);
    this.#look = undefined;
    this.#lastLookUp = performance.now();
    await this.check();
  }

  #run(): Promise<void> {
    this.#running = this.#read()
      .catch((error: unknown) => {
        if (!this.#isClosed) this.#options.onFault(error);
      })
      .then(() => {
        this.#running = undefined;
        this.#checkTrust();
      });
    return this.#running;
  }

  async #read(): Promise<void> {
    if (this.#isClosed) return;
    const { store, book } = this.#options;
    const askedAt = performance.now();
    const version = await store.tokensVersion();
    for (let attempt = 0; version !== this.#version && attempt < READ_ATTEMPTS; attempt += 1) {
      const { writes } = book;
      const rows = await store.listTokens();
      if (this.#isClosed) return;
      if (book.writes !== writes) continue;
      book.replaceAll(rows);
      this.#version = version;
    }
    this.#checkedAt = askedAt;
  }

  /** Ends streams when it turns false. */
  #checkTrust(): boolean {
    const isTrusted = performance.now() - this.#checkedAt < this.#times.trustMs;
    const hasEnded = this.#isTrusted && !isTrusted;
    this.#isTrusted = isTrusted;
    if (hasEnded) this.#options.book.endAll();
    return isTrusted;
  }

  #assertTrusted(): void {
    if (this.#checkTrust()) return;
    const seconds = Math.round(this.#times.trustMs / 1000);
    throw new InterlinguaError(
      "store_busy",
      `This node has not reached the database for ${seconds} seconds, so it cannot know whether this token was revoked. Try again, or call another node.`,
      { retryAfterSeconds: 2 },
    );
  }
}
