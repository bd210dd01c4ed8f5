/** The state feed: tells its readers about every session that changes. Follows the engine only while someone reads. */
import { setTimeout } from "node:timers/promises";
import { InterlinguaError } from "../../core/error.ts";
import { type SessionSummary, summarizeSession } from "../../core/session-summary.ts";
import type { Store } from "../../core/store.ts";
import type { TimeSlices } from "../../core/time-slices.ts";
import type { AskView, Engine } from "../../engine/engine.ts";
import { dataFrame } from "../../protocol/sse-frame.ts";
import { ANSWER_BYTES, encodeAll } from "../answer-page.ts";
import type { Presence } from "../people/presence.ts";
import type { EventStream } from "./event-stream.ts";
import { FeedReader } from "./feed-reader.ts";
import { type Frame, frameOf } from "./frame.ts";

/** Between two snapshots for the same readers. */
const SNAPSHOT_PAUSE_MS = 500;

const LIST_PAGE = 500;
const LIST_BYTES = 1024 * 1024;
/** The maximum length of the session list in the first frame, and of the list of who watches, in characters. */
const SNAPSHOT_LENGTH = 1024 * 1024;

export interface FeedDependencies {
  engine: Pick<Engine, "followAll" | "listAsks">;
  store: Pick<Store, "listSessions">;
  slices: TimeSlices;
  presence: Pick<Presence, "of" | "sessions" | "followAll">;
  /** When the daemon was started. */
  startedAt: number;
  onError: (error: unknown) => void;
}

export class Feed {
  readonly #dependencies: FeedDependencies;
  readonly #readers = new Set<FeedReader>();
  #stopFollowing: (() => void) | undefined;
  /** Changes since the last flush by their subject. A later state replaces an earlier one. */
  #changes = new Map<string, string>();
  /** The asks readers were sent, by session. */
  readonly #shownAsks = new Map<string, string>();
  /** Sessions whose asks have to be read again. */
  readonly #stale = new Set<string>();
  #isLooking = false;
  /** Whether changes were missed since the last snapshot, and whether one is being sent for that. */
  #hasGap = false;
  #isBeginning = false;
  /** The snapshot that is being made, and the one that will be made next. */
  #making: Promise<Frame> | undefined;
  #next: Promise<Frame> | undefined;

  constructor(dependencies: FeedDependencies) {
    this.#dependencies = dependencies;
  }

  get startedAt(): number {
    return this.#dependencies.startedAt;
  }

  /** Sends a snapshot, then changes, until the stream closes. */
  async connect(stream: EventStream): Promise<void> {
    if (!stream.isOpen) return;
    const reader = new FeedReader(stream);
    this.#readers.add(reader);
    stream.onDrain(() => reader.flush());
    stream.onClose(() => this.#remove(reader));
    this.#stopFollowing ??= this.#follow();
    try {
      // Changes from now on wait in the reader, so none falls between the snapshot and the first of them.
      reader.begin(await this.#sharedSnapshot());
    } catch (error) {
      this.#dependencies.onError(error);
      stream.end("the sessions could not be read");
    }
  }

  #follow(): () => void {
    const { engine, presence } = this.#dependencies;
    const stops = [
      engine.followAll(
        (change) => this.#take(change),
        () => void this.#beginAgain(),
      ),
      presence.followAll((session) =>
        this.#change(presenceOf(session), { type: "presence", session, ...presence.of(session) }),
      ),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }

  /** Changes may have been missed, so everybody gets a new snapshot. Gaps meanwhile make one more. */
  async #beginAgain(): Promise<void> {
    this.#hasGap = true;
    if (this.#isBeginning) return;
    this.#isBeginning = true;
    while (this.#hasGap && this.#readers.size > 0) {
      // What waits may be older than what was missed, so it is sent before.
      this.#flush();
      const readers = [...this.#readers].filter((reader) => reader.pause());
      // The first snapshot of a reader may have been made before the gap ended.
      this.#hasGap = [...this.#readers].some((reader) => !reader.hasBegun && !readers.includes(reader));
      try {
        const snapshot = await this.#sharedSnapshot();
        for (const reader of readers) reader.begin(snapshot);
        await setTimeout(SNAPSHOT_PAUSE_MS, undefined, { ref: false });
      } catch (error) {
        this.#dependencies.onError(error);
        for (const reader of readers) reader.end("the sessions could not be read");
      }
    }
    this.#isBeginning = false;
  }

  #remove(reader: FeedReader): void {
    this.#readers.delete(reader);
    if (this.#readers.size > 0) return;
    this.#stopFollowing?.();
    this.#stopFollowing = undefined;
    this.#changes.clear();
    this.#shownAsks.clear();
    this.#stale.clear();
  }

  /**
   * Readers that connect while a snapshot is made share the next one: the current one may have read a session that
   * changed before they received changes.
   */
  #sharedSnapshot(): Promise<Frame> {
    this.#next ??= (this.#making ?? Promise.resolve())
      .catch(() => {})
      .then(() => {
        this.#making = this.#next;
        this.#next = undefined;
        return this.#snapshot().finally(() => {
          this.#making = undefined;
        });
      });
    return this.#next;
  }

  async #snapshot(): Promise<Frame> {
    const { sessions, cursor: sessionCursor } = await this.#firstSessions();
    const { asks, cursor: askCursor } = await this.#firstAsks();
    const { presence, isPresenceCut } = this.#firstPresence();
    const rest = JSON.stringify({ startedAt: this.startedAt, sessionCursor, askCursor, isPresenceCut }).slice(
      1,
    );
    const lists = `"sessions":[${sessions.join(",")}],"asks":[${asks.join(",")}],"presence":[${presence.join(",")}]`;
    return frameOf(dataFrame(`{"type":"snapshot",${lists},${rest}`));
  }

  #firstPresence(): { presence: string[]; isPresenceCut?: true } {
    const { presence } = this.#dependencies;
    const shown: string[] = [];
    let length = 0;
    for (const session of presence.sessions()) {
      if (length >= SNAPSHOT_LENGTH) return { presence: shown, isPresenceCut: true };
      const text = JSON.stringify({ session, ...presence.of(session) });
      shown.push(text);
      length += text.length;
    }
    return { presence: shown };
  }

  async #firstSessions(): Promise<{ sessions: string[]; cursor?: string }> {
    const { store, slices } = this.#dependencies;
    const sessions: string[] = [];
    let length = 0;
    let cursor: string | undefined;
    do {
      const page = await store.listSessions({
        archived: false,
        limit: LIST_PAGE,
        maxBytes: LIST_BYTES,
        cursor,
      });
      for (const row of page.sessions) {
        const summary = JSON.stringify(summarizeSession(row));
        sessions.push(summary);
        length += summary.length;
      }
      cursor = page.cursor;
      await slices.pause();
    } while (cursor !== undefined && length < SNAPSHOT_LENGTH);
    return { sessions, cursor };
  }

  async #firstAsks(): Promise<{ asks: string[]; cursor?: string }> {
    const { asks, cursor, names } = await this.#readAsks();
    for (const [session, shown] of names) {
      if (!this.#shownAsks.has(session)) this.#shownAsks.set(session, shown.join(" "));
      // They may have changed after they were read and before they were known to be shown.
      this.#look(session);
    }
    return { asks: await encodeAll(asks, this.#dependencies.slices), cursor };
  }

  /**
   * The asks that fit into a frame, and the ids of all by session: readers that fetched an ask by cursor are notified
   * of it too.
   */
  async #readAsks(session?: string): Promise<{
    asks: AskView[];
    cursor?: string;
    names: Map<string, string[]>;
  }> {
    const { engine, slices } = this.#dependencies;
    const names = new Map<string, string[]>();
    const first = await engine.listAsks({ session, maxBytes: ANSWER_BYTES });
    for (let page = first; ; ) {
      for (const ask of page.asks) {
        const known = names.get(ask.session);
        if (known) known.push(nameOf(ask));
        else names.set(ask.session, [nameOf(ask)]);
      }
      if (page.cursor === undefined) return { ...first, names };
      await slices.pause();
      page = await engine.listAsks({ session, maxBytes: ANSWER_BYTES, cursor: page.cursor });
    }
  }

  #take(change: SessionSummary | { session: string; deleted: true }): void {
    const { session } = change;
    if ("deleted" in change) {
      this.#shownAsks.delete(session);
      this.#stale.delete(session);
      this.#changes.delete(asksOf(session));
      this.#changes.delete(presenceOf(session));
      return this.#change(session, { type: "deleted", session });
    }
    this.#change(session, { type: "session", ...change });
    // The number alone does not tell whether they are the same ones.
    if (change.openAsks > 0 || this.#shownAsks.has(session)) this.#look(session);
  }

  /** Flushes once per turn of the event loop, so that many changes at once are one write. */
  #change(about: string, frame: object): void {
    if (this.#changes.size === 0) setImmediate(() => this.#flush());
    this.#changes.set(about, dataFrame(JSON.stringify(frame)));
  }

  #flush(): void {
    const changes = this.#changes;
    if (changes.size === 0) return;
    this.#changes = new Map();
    const frame = frameOf([...changes.values()].join(""));
    for (const reader of this.#readers) reader.take(changes, frame);
  }

  async #look(session: string): Promise<void> {
    this.#stale.add(session);
    if (this.#isLooking) return;
    this.#isLooking = true;
    for (const next of this.#stale) {
      this.#stale.delete(next);
      try {
        await this.#show(next);
      } catch (error) {
        if (!isDeleted(error)) this.#dependencies.onError(error);
      }
    }
    this.#isLooking = false;
  }

  async #show(session: string): Promise<void> {
    const { asks, cursor, names } = await this.#readAsks(session);
    const shown = names.get(session)?.join(" ") ?? "";
    if (this.#readers.size === 0 || shown === (this.#shownAsks.get(session) ?? "")) return;
    if (shown !== "") this.#shownAsks.set(session, shown);
    else this.#shownAsks.delete(session);
    this.#change(asksOf(session), { type: "asks", session, asks, askCursor: cursor });
  }
}

/** The session was deleted while its asks were read; that notification is on its way. */
function isDeleted(error: unknown): boolean {
  return InterlinguaError.isInstance(error) && error.code === "session_not_found";
}

function asksOf(session: string): string {
  // A session id holds no colon.
  return `asks:${session}`;
}

function presenceOf(session: string): string {
  return `presence:${session}`;
}

/** Identifies an ask and its version. */
function nameOf({ ask, updatedSeq }: AskView): string {
  return `${ask}:${updatedSeq ?? ""}`;
}
