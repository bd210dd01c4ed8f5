/**
 * Remembers what readers of the feed were told of each session, as digests: after a gap they are compared with the store.
 * Archived sessions are left out, as in snapshots.
 */
import { hash } from "node:crypto";
import type { SessionSummary } from "../../core/session-summary.ts";

/** In a cluster they are read whenever a node joins or leaves. With more sessions readers get another snapshot. */
export const MAX_KNOWN_SESSIONS = 20_000;

/** Readers were told different things. */
const DOUBTFUL = "";

export class KnownSessions {
  readonly #digests = new Map<string, string>();
  readonly #max: number;
  #isComplete = false;

  constructor(max = MAX_KNOWN_SESSIONS) {
    this.#max = max;
  }

  /** Whether these are all that readers may know. */
  get isComplete(): boolean {
    return this.#isComplete && this.#digests.size <= this.#max;
  }

  /** All that readers may know are here from now on. */
  complete(): void {
    this.#isComplete = true;
  }

  get hasRoom(): boolean {
    return this.#digests.size <= this.#max;
  }

  /** @param json The summary as JSON. */
  told({ session, archived }: SessionSummary, json: string): void {
    if (archived) this.#digests.delete(session);
    // The size goes one beyond the maximum, which shows that these are not all.
    else if (this.#digests.size <= this.#max) this.#digests.set(session, digestOf(json));
  }

  /** A reader read this, and others may have been told something else. */
  read({ session }: SessionSummary, json: string): void {
    if (this.#digests.get(session) !== digestOf(json)) this.#digests.set(session, DOUBTFUL);
  }

  wasTold({ session }: SessionSummary, json: string): boolean {
    return this.#digests.get(session) === digestOf(json);
  }

  has(session: string): boolean {
    return this.#digests.has(session);
  }

  forget(session: string): void {
    this.#digests.delete(session);
  }

  sessions(): Iterable<string> {
    return this.#digests.keys();
  }

  clear(): void {
    this.#isComplete = false;
    this.#digests.clear();
  }
}

function digestOf(json: string): string {
  return hash("sha1", json, "base64url");
}
