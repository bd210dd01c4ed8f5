/**
 * The state feed: tells its readers about every session that changes. Follows the engine while someone reads, and a while longer
 * for readers that come back with a cursor.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { PacedChanges, type SessionChange, type StartPause } from "../../core/paced-changes.ts";
import type { SessionSummary } from "../../core/session-summary.ts";
import type { Store } from "../../core/store.ts";
import type { TimeSlices } from "../../core/time-slices.ts";
import type { Engine } from "../../engine/engine.ts";
import { eventFrame } from "../../protocol/sse-frame.ts";
import type { Presence } from "../people/presence.ts";
import type { EventStream } from "./event-stream.ts";
import { FeedAsks } from "./feed-asks.ts";
import { type FeedChange, FeedJournal } from "./feed-journal.ts";
import { FeedReader } from "./feed-reader.ts";
import { FeedSessions } from "./feed-sessions.ts";
import { type Frame, frameOf } from "./frame.ts";

/** Between two looks for what was missed, or snapshots, for the same readers. */
const GAP_PAUSE_MS = 500;
/** How long it follows for nobody. */
const LINGER_MS = 60_000;

/** The maximum length of the list of who watches in the first frame, in characters. */
const PRESENCE_LENGTH = 1024 * 1024;

const RESUMED = JSON.stringify({ type: "resumed" });

export interface FeedDependencies {
  engine: Pick<Engine, "followAll" | "run">;
  store: Pick<Store, "listSessions" | "getSession">;
  slices: TimeSlices;
  presence: Pick<Presence, "of" | "sessions" | "followAll">;
  /** When the daemon was started. */
  startedAt: number;
  onError: (error: unknown) => void;
  /** Changes of other nodes may be missed: so it is known what readers were told of all sessions, also of those without room. */
  isOneOfSeveral?: boolean;
  /** Between two frames about the progress of a session; tests have their own. */
  startPause?: StartPause;
  /** For tests. */
  limits?: {
    maxKnown?: number;
    snapshotLength?: number;
    journalLength?: number;
    lingerMs?: number;
    gapPauseMs?: number;
  };
}

interface Snapshot {
  readonly frame: Frame;
  /** The number of the last change that was told before the snapshot was read. */
  readonly revision: number;
}

export class Feed {
  readonly #dependencies: FeedDependencies;
  readonly #readers = new Set<FeedReader>();
  #stopFollowing: (() => void) | undefined;
  #linger: NodeJS.Timeout | undefined;
  /** Changes since the last flush by their subject. A later state replaces an earlier one. */
  #changes = new Map<string, FeedChange>();
  readonly #journal: FeedJournal;
  readonly #paced: PacedChanges;
  readonly #asks: FeedAsks;
  readonly #sessions: FeedSessions;
  /** Nobody was sent a snapshot yet. */
  #isFirst = true;
  /** Whether changes were missed since they were last looked for, and whether somebody looks. */
  #hasGap = false;
  #isCatchingUp = false;
  /** The snapshot that is being made, and the one that will be made next. */
  #making: Promise<Snapshot> | undefined;
  #next: Promise<Snapshot> | undefined;

  constructor(dependencies: FeedDependencies) {
    this.#dependencies = dependencies;
    const { engine, store, slices, limits, startPause, onError, isOneOfSeveral = false } = dependencies;
    this.#journal = new FeedJournal(limits?.journalLength);
    this.#paced = new PacedChanges((change) => this.#send(change), startPause);
    this.#sessions = new FeedSessions({
      ...{ store, slices, limits },
      readsAll: isOneOfSeveral,
      flush: () => this.#flush(),
      onChange: (summary) => this.#tell(summary),
      onDeleted: (session) => this.#send({ session, deleted: true }),
    });
    this.#asks = new FeedAsks({
      ...{ engine, slices, onError },
      isWanted: () => this.#stopFollowing !== undefined,
      onChange: (session, frame) => this.#change(asksOf(session), frame),
    });
  }

  get startedAt(): number {
    return this.#dependencies.startedAt;
  }

  /** The feed of some of the sessions. */
  limited(parts: Pick<FeedDependencies, "engine" | "store" | "presence">): Feed {
    return new Feed({ ...this.#dependencies, ...parts });
  }

  /**
   * Sends what changed since a cursor, or a snapshot where there is none or it is not known; then changes, until the stream
   * closes.
   */
  async connect(stream: EventStream, cursor?: string): Promise<void> {
    if (!stream.isOpen) return;
    const reader = new FeedReader(stream);
    clearTimeout(this.#linger);
    // Else this reader would get the end of the journal a second time.
    this.#flush();
    const missed = cursor === undefined ? undefined : this.#journal.since(cursor);
    this.#readers.add(reader);
    stream.onDrain(() => reader.flush());
    stream.onClose(() => this.#remove(reader));
    this.#stopFollowing ??= this.#follow();
    if (missed) {
      const { revision } = this.#journal;
      reader.begin(frameOf(eventFrame(cursor!, RESUMED) + missed.join("")), revision);
      return;
    }
    const { pauses } = reader;
    try {
      // Changes from now on wait in the reader, so none falls between the snapshot and the first of them.
      const { frame, revision } = await this.#sharedSnapshot();
      // All readers that share it continue in this turn of the event loop.
      const pause = this.#dependencies.slices.pause();
      if (pause) await pause;
      this.#flush();
      if (reader.pauses === pauses) reader.begin(frame, revision);
    } catch (error) {
      this.#dependencies.onError(error);
      reader.end("the sessions could not be read");
    }
  }

  #follow(): () => void {
    const { engine, presence } = this.#dependencies;
    const stops = [
      engine.followAll(
        (change) => this.#take(change),
        () => void this.#catchUp(),
      ),
      presence.followAll((session) =>
        this.#change(presenceOf(session), { type: "presence", session, ...presence.of(session) }),
      ),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }

  /** Changes may have been missed, so readers are told what is not as they were told. Gaps meanwhile make one more round. */
  async #catchUp(): Promise<void> {
    this.#hasGap = true;
    if (this.#isCatchingUp) return;
    this.#isCatchingUp = true;
    while (this.#hasGap && this.#readers.size > 0) {
      this.#hasGap = false;
      try {
        // Readers know what the first snapshot says.
        await this.#making?.catch(() => {});
        if (this.#sessions.canCompare) await this.#sessions.compare();
        if (this.#sessions.canCompare) await this.#asks.compare();
        else await this.#beginAgain();
      } catch (error) {
        this.#dependencies.onError(error);
        this.#journal.clear();
        for (const reader of [...this.#readers]) reader.end("the sessions could not be read");
      }
      await sleep(this.#dependencies.limits?.gapPauseMs ?? GAP_PAUSE_MS, undefined, { ref: false });
    }
    this.#isCatchingUp = false;
    // Nobody is left to be told. A reader that comes back gets a snapshot.
    if (this.#hasGap) this.#stop();
  }

  /** More sessions than can be compared: everybody gets a new snapshot. */
  async #beginAgain(): Promise<void> {
    // Changes that wait may be older than what was missed, so they are sent before.
    this.#flush();
    this.#journal.clear();
    // New readers among them, whose first snapshot may have been made before the gap ended.
    const readers = [...this.#readers].filter((reader) => reader.pause());
    this.#isFirst = true;
    const { frame, revision } = await this.#sharedSnapshot();
    this.#flush();
    for (const reader of readers) {
      reader.begin(frame, revision);
      const pause = this.#dependencies.slices.pause();
      if (pause) await pause;
    }
  }

  #remove(reader: FeedReader): void {
    this.#readers.delete(reader);
    if (this.#readers.size > 0) return;
    const { lingerMs = LINGER_MS } = this.#dependencies.limits ?? {};
    this.#linger = setTimeout(() => this.#stop(), lingerMs).unref();
  }

  #stop(): void {
    this.#stopFollowing?.();
    this.#stopFollowing = undefined;
    this.#hasGap = false;
    this.#isFirst = true;
    this.#paced.clear();
    this.#changes.clear();
    this.#journal.clear();
    this.#sessions.clear();
    this.#asks.clear();
  }

  /**
   * Readers that connect while a snapshot is made share the next one: the current one may have read a session that
   * changed before they received changes.
   */
  #sharedSnapshot(): Promise<Snapshot> {
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

  async #snapshot(): Promise<Snapshot> {
    const isFirst = this.#isFirst;
    const run = this.#stopFollowing;
    // The store has everything that was told up to now.
    this.#flush();
    if (isFirst) this.#asks.clear();
    const { cursor, revision } = this.#journal;
    const { sessions, cursor: sessionCursor } = await this.#sessions.first(isFirst);
    const { asks, cursor: askCursor } = await this.#asks.first(isFirst);
    // After a stop nobody is left who was sent it.
    if (this.#stopFollowing === run) this.#isFirst = false;
    const { presence, isPresenceCut } = this.#firstPresence();
    const rest = JSON.stringify({ startedAt: this.startedAt, sessionCursor, askCursor, isPresenceCut }).slice(
      1,
    );
    const lists = `"sessions":[${sessions.join(",")}],"asks":[${asks.join(",")}],"presence":[${presence.join(",")}]`;
    return { frame: frameOf(eventFrame(cursor, `{"type":"snapshot",${lists},${rest}`)), revision };
  }

  #firstPresence(): { presence: string[]; isPresenceCut?: true } {
    const { presence } = this.#dependencies;
    const shown: string[] = [];
    let length = 0;
    for (const session of presence.sessions()) {
      if (length >= PRESENCE_LENGTH) return { presence: shown, isPresenceCut: true };
      const text = JSON.stringify({ session, ...presence.of(session) });
      shown.push(text);
      length += text.length;
    }
    return { presence: shown };
  }

  #take(change: SessionChange): void {
    const { session } = change;
    this.#sessions.notice(session);
    this.#paced.take(change);
    if ("deleted" in change) return;
    // The number alone does not tell whether they are the same ones.
    if (change.openAsks > 0 || this.#asks.has(session)) void this.#asks.look(session);
  }

  #send(change: SessionChange): void {
    if (!("deleted" in change)) return this.#tell(change);
    const { session } = change;
    this.#asks.forget(session, this.#making !== undefined);
    this.#sessions.forget(session);
    for (const about of [session, asksOf(session), presenceOf(session)]) {
      this.#changes.delete(about);
      this.#journal.remove(about);
    }
    this.#change(endOf(session), { type: "deleted", session });
  }

  #tell(summary: SessionSummary): void {
    const json = JSON.stringify(summary);
    // Where another node cannot be heard, what changed last is told again and again.
    if (this.#sessions.tell(summary, json)) this.#add(summary.session, `{"type":"session",${json.slice(1)}`);
  }

  #change(about: string, frame: object): void {
    this.#add(about, JSON.stringify(frame));
  }

  /** Writes once per turn of the event loop, so that many changes at once are one write. */
  #add(about: string, json: string): void {
    if (this.#changes.size === 0) setImmediate(() => this.#write());
    // In the order of the last changes, so that the cursor of a frame covers those before it.
    this.#changes.delete(about);
    this.#changes.set(about, this.#journal.add(about, json));
  }

  /** Everything readers do not have yet. */
  #flush(): void {
    this.#paced.flush();
    this.#write();
  }

  #write(): void {
    const changes = this.#changes;
    if (changes.size === 0) return;
    this.#changes = new Map();
    if (this.#readers.size === 0) return;
    const frame = frameOf([...changes.values()].map(({ frame }) => frame).join(""));
    for (const reader of this.#readers) reader.take(changes, frame);
  }
}

// A session id holds no colon.
function asksOf(session: string): string {
  return `asks:${session}`;
}

function presenceOf(session: string): string {
  return `presence:${session}`;
}

/** Another subject than the session itself: one of the same id may be made later, and is told after that. */
function endOf(session: string): string {
  return `deleted:${session}`;
}
