/** The sessions of the feed as the store has them: those of a snapshot, and those that readers were told otherwise. */
import { type SessionSummary, summarizeSession } from "../../core/session-summary.ts";
import type { SessionRow, Store } from "../../core/store.ts";
import type { TimeSlices } from "../../core/time-slices.ts";
import { KnownSessions } from "./known-sessions.ts";

export interface FeedSessionsOptions {
  store: Pick<Store, "listSessions" | "getSession">;
  slices: TimeSlices;
  /** Note all sessions for the first snapshot, also those without room in it. */
  readsAll: boolean;
  /** Tells readers what waits. */
  flush(): void;
  /** Called with what readers were not told. */
  onChange(summary: SessionSummary): void;
  onDeleted(session: string): void;
  /** For tests. */
  limits?: { maxKnown?: number; snapshotLength?: number };
}

const LIST_PAGE = 500;
const LIST_BYTES = 1024 * 1024;
/** The maximum length of the session list in a snapshot, in characters. */
const SNAPSHOT_LENGTH = 1024 * 1024;
/** A session that is told this often while it is read is told by the node that has it. */
const READ_ATTEMPTS = 10;

export class FeedSessions {
  readonly #options: FeedSessionsOptions;
  readonly #known: KnownSessions;
  /** The sessions that were noticed since each look into the store began. */
  readonly #looks = new Set<Set<string>>();

  constructor(options: FeedSessionsOptions) {
    this.#options = options;
    this.#known = new KnownSessions(options.limits?.maxKnown);
  }

  /** Whether all that readers may know can be compared with the store. */
  get canCompare(): boolean {
    return this.#known.isComplete;
  }

  /** A change is on its way to readers. */
  notice(session: string): void {
    for (const noticed of this.#looks) noticed.add(session);
  }

  /**
   * Readers are told this from now on. False where they were told it before.
   *
   * @param json The summary as JSON.
   */
  tell(summary: SessionSummary, json: string): boolean {
    if (this.#known.wasTold(summary, json)) return false;
    this.#known.told(summary, json);
    return true;
  }

  forget(session: string): void {
    this.#known.forget(session);
  }

  clear(): void {
    this.#known.clear();
  }

  /**
   * The sessions that have room in a snapshot. The first snapshot also notes what readers may know of all sessions.
   *
   * @param isFirst Nobody was told anything yet.
   */
  async first(isFirst: boolean): Promise<{ sessions: string[]; cursor?: string }> {
    const { readsAll, limits } = this.#options;
    const { snapshotLength = SNAPSHOT_LENGTH } = limits ?? {};
    if (isFirst) this.#known.clear();
    const sessions: string[] = [];
    let length = 0;
    let isCut = false;
    let cursor: string | undefined;
    const noticed = this.#startLook();
    try {
      for await (const page of this.#pages()) {
        for (const row of page.sessions) {
          const summary = summarizeSession(row);
          const json = JSON.stringify(summary);
          if (isFirst && !noticed.has(row.id)) this.#known.told(summary, json);
          else this.#known.read(summary, json);
          if (isCut) continue;
          sessions.push(json);
          length += json.length;
        }
        if (isCut || length < snapshotLength || page.cursor === undefined) continue;
        isCut = true;
        cursor = page.cursor;
        if (!isFirst || !readsAll) return { sessions, cursor };
      }
    } finally {
      this.#looks.delete(noticed);
    }
    if (isFirst) this.#known.complete();
    return { sessions, cursor };
  }

  /** Compares what the store has with what readers were told, and reports the differences. */
  async compare(): Promise<void> {
    const doubtful = new Set<string>();
    const missing = new Set(this.#known.sessions());
    const noticed = this.#startLook();
    try {
      for await (const { sessions } of this.#pages()) {
        for (const row of sessions) {
          missing.delete(row.id);
          // A change that was noticed meanwhile may be newer than the row.
          if (noticed.has(row.id)) doubtful.add(row.id);
          else this.#options.onChange(summarizeSession(row));
        }
      }
    } finally {
      this.#looks.delete(noticed);
    }
    if (!this.canCompare) return;
    // A list in pages does not have a session that changed its place meanwhile.
    for (const session of [...missing, ...doubtful]) await this.#compareOne(session);
  }

  async #compareOne(session: string): Promise<void> {
    const { store, onChange, onDeleted } = this.#options;
    for (let attempt = 0; attempt < READ_ATTEMPTS; attempt += 1) {
      const noticed = this.#startLook();
      let row: SessionRow | undefined;
      try {
        row = await store.getSession(session);
      } finally {
        this.#looks.delete(noticed);
      }
      if (noticed.has(session)) continue;
      if (row) onChange(summarizeSession(row));
      else if (this.#known.has(session)) onDeleted(session);
      return;
    }
  }

  /** Collects the sessions that are noticed from now on. Earlier changes are told before. */
  #startLook(): Set<string> {
    this.#options.flush();
    const noticed = new Set<string>();
    this.#looks.add(noticed);
    return noticed;
  }

  /** All sessions but archived ones, and no more than can be compared. */
  async *#pages(): AsyncGenerator<Awaited<ReturnType<Store["listSessions"]>>> {
    const { store, slices } = this.#options;
    let cursor: string | undefined;
    do {
      const page = await store.listSessions({
        archived: false,
        limit: LIST_PAGE,
        maxBytes: LIST_BYTES,
        cursor,
      });
      yield page;
      cursor = page.cursor;
      await slices.pause();
    } while (cursor !== undefined && this.#known.hasRoom);
  }
}
