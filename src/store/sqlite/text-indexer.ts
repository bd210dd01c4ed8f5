/**
 * Puts the words of noted texts into the search index in the background, many in one write: a commit that ends a message
 * does not wait for it. A text stays noted until its words are in the index, so a daemon that dies goes on at its next
 * start. The search reads the noted texts themselves.
 */
import { setImmediate } from "node:timers/promises";
import type { Connection } from "./connection.ts";
import { assertText, indexWords, SELECT_NOTED_TEXTS, type StoredText } from "./message-texts.ts";

/** More at once are cheaper, and longer in the way of others. */
const TEXTS_PER_WRITE = 50;
const CHARACTERS_PER_WRITE = 64 * 1024;

/** How long texts may wait for others, and how many of them. */
const DELAY_MS = 1000;
const MANY_TEXTS = 200;

const COUNT_NOTED = "SELECT count(*) AS count FROM text_to_index";

/** After a failure (mostly a full disk) the texts simply stay noted. */
const PAUSE_AFTER_FAILURE_MS = 5000;

export interface TextIndexerOptions {
  indexDelayMs?: number;
  /** Called if indexing in the background failed. Nothing is lost, but searches take longer. */
  onError?(error: unknown): void;
  /** Called with a session in which a text is not what was stored. */
  onDamage?(session: number, error: unknown): void;
}

export class TextIndexer {
  readonly #connection: Connection;
  readonly #options: TextIndexerOptions;
  #waiting = 0;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #pausedUntil = 0;

  constructor(connection: Connection, options: TextIndexerOptions = {}) {
    this.#connection = connection;
    this.#options = options;
  }

  /** Asks for the texts of a commit, of which there are `count`. */
  request(count: number): void {
    if (count === 0) return;
    this.#waiting += count;
    if (this.#running || performance.now() < this.#pausedUntil) return;
    if (this.#waiting >= MANY_TEXTS) return this.#start();
    if (this.#timer) return;
    this.#timer = setTimeout(() => this.#start(), this.#options.indexDelayMs ?? DELAY_MS);
    this.#timer.unref();
  }

  /** What a daemon that died, or a disk that was full, left unindexed. */
  requestLeftovers(): void {
    try {
      this.request(this.#connection.get<{ count: number }>(COUNT_NOTED)?.count ?? 0);
    } catch (error) {
      this.#options.onError?.(error);
    }
  }

  /** Indexes what waits, unless that has just failed. */
  async finish(): Promise<void> {
    await this.#running;
    if (this.#waiting > 0 && performance.now() >= this.#pausedUntil) this.#start();
    await this.#running;
  }

  #start(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#running = this.#run();
  }

  async #run(): Promise<void> {
    try {
      do {
        // In a later turn of the event loop than the write.
        await setImmediate();
        this.#waiting = 0;
      } while (this.#indexSome());
    } catch (error) {
      this.#pausedUntil = performance.now() + PAUSE_AFTER_FAILURE_MS;
      this.#options.onError?.(error);
    }
    this.#running = undefined;
  }

  /** Returns whether there are more. */
  #indexSome(): boolean {
    const texts: StoredText[] = [];
    let characters = 0;
    let hasMore = false;
    for (const text of this.#connection.iterate<StoredText>(SELECT_NOTED_TEXTS, Number.MAX_SAFE_INTEGER)) {
      hasMore = texts.length === TEXTS_PER_WRITE || characters >= CHARACTERS_PER_WRITE;
      if (hasMore) break;
      texts.push(text);
      characters += text.text.length;
    }
    if (texts.length === 0) return false;
    for (const text of texts) this.#check(text);
    this.#connection.transaction(() => {
      for (const text of texts) indexWords(this.#connection, text);
    });
    return hasMore;
  }

  /** A damaged text is indexed as it is: who finds it gets an error, as who reads it does. */
  #check(text: StoredText): void {
    try {
      assertText(text);
    } catch (error) {
      this.#options.onDamage?.(text.session, error);
    }
  }
}
