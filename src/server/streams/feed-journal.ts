/**
 * The latest change of each subject of the feed, in the order of the last changes: what a reader that comes back with a cursor
 * has missed. It has a bounded length. Cursors from before its oldest change, of another journal or of another daemon are unknown.
 */
import { randomBytes } from "node:crypto";
import { eventFrame } from "../../protocol/sse-frame.ts";

/** A change, with its number among all of them. */
export interface FeedChange {
  readonly revision: number;
  readonly frame: string;
}

/** In characters. More would be longer than a snapshot. */
const MAX_LENGTH = 1024 * 1024;

export class FeedJournal {
  readonly #maxLength: number;
  readonly #entries = new Map<string, FeedChange>();
  #name = createName();
  #length = 0;
  #revision = 0;
  /** The last change that is not in here any more. */
  #dropped = 0;

  constructor(maxLength = MAX_LENGTH) {
    this.#maxLength = maxLength;
  }

  /** The number of the last change. */
  get revision(): number {
    return this.#revision;
  }

  /** Everything up to now. */
  get cursor(): string {
    return `${this.#name}.${this.#revision}`;
  }

  /** Makes the frame, with its cursor. A later change of a subject replaces an earlier one. */
  add(about: string, json: string): FeedChange {
    this.#revision += 1;
    const frame = eventFrame(this.cursor, json);
    const change = { revision: this.#revision, frame };
    this.remove(about);
    this.#entries.set(about, change);
    this.#length += frame.length;
    for (const [oldest, { revision }] of this.#entries) {
      if (this.#length <= this.#maxLength) break;
      this.remove(oldest);
      this.#dropped = revision;
    }
    return change;
  }

  /** A later change of another subject says more. */
  remove(about: string): void {
    const entry = this.#entries.get(about);
    if (!entry) return;
    this.#entries.delete(about);
    this.#length -= entry.frame.length;
  }

  /** The frames after a cursor. Undefined where that is unknown or too old. */
  since(cursor: string): string[] | undefined {
    const [name, text = ""] = cursor.split(".");
    if (name !== this.#name || !/^\d{1,15}$/.test(text)) return undefined;
    const after = Number(text);
    if (after < this.#dropped || after > this.#revision) return undefined;
    return [...this.#entries.values()].filter(({ revision }) => revision > after).map(({ frame }) => frame);
  }

  /** From now on all cursors of before are unknown. */
  clear(): void {
    this.#name = createName();
    this.#entries.clear();
    this.#length = 0;
    this.#dropped = this.#revision;
  }
}

function createName(): string {
  return randomBytes(6).toString("base64url");
}
