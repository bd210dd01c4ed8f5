/**
 * Group commit: everything that arrived while the last commit ran goes into the next one. Raw records, for which nobody
 * waits, are delayed a moment so that they join other events. With a `CommitPace` so is what agents stream. A commit that fails because the disk is full
 * publishes nothing and is retried until it succeeds; meanwhile agents are not read. A session whose own data the store
 * refuses is given up, so that it does not block the others; so is one that another node has taken over.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { errorText } from "../../core/error-text.ts";
import type { Ownership } from "../../core/ownership.ts";
import type { CutShort, SessionAppend, Store } from "../../core/store.ts";
import { eventsLost, sessionMoved } from "../../protocol/refusals.ts";
import type { CommitPace } from "./commit-pace.ts";
import { CommitTimes } from "./commit-times.ts";

/** A session that has something to commit. */
export interface CommitSource {
  /**
   * Hands over everything not yet collected; called once per commit. Undefined when there is nothing. A source that throws
   * here or in `committed` has `failed`.
   */
  collect(): SessionAppend | undefined;
  /** The session was given up or deleted: what was collected from it is not written any more. */
  readonly hasEnded?: boolean;
  /** The append is on disk. Called in the order of the commits. */
  committed(append: SessionAppend): void;
  /** The append will never be on disk. It must not throw. */
  failed(error: unknown): void;
}

export interface GroupCommitOptions {
  maxPendingBytes: number;
  /** The pause before a failed commit is tried again. */
  retryMs?: number;
  /** Where each commit costs a round trip. Nothing that agents stream waits when absent. */
  pace?: CommitPace;
  ownership?: Pick<Ownership, "suspended">;
  onFailure?(error: unknown): void;
  onRecovery?(): void;
}

/** How long raw records wait for an event, and up to what size. */
const PATIENCE_MS = 20;
const PATIENCE_BYTES = 64 * 1024;

/** Why nothing is written while this node may have lost its sessions to others. */
const SUSPENDED =
  "This node has not reached the database for so long that others may take its sessions over.";

type CommitStore = Pick<Store, "append" | "getSession">;

interface Collected {
  source: CommitSource;
  append: SessionAppend;
}

export class GroupCommit {
  readonly #store: CommitStore;
  readonly #options: GroupCommitOptions;
  readonly #dirty = new Set<CommitSource>();
  #isRunning = false;
  #patience: NodeJS.Timeout | undefined;
  /** Runs while what agents stream is gathered. */
  #gathering: NodeJS.Timeout | undefined;
  /** Somebody waits for something that was not collected yet. */
  #isAwaited = false;
  #isClosing = false;
  readonly #closed = Promise.withResolvers<void>();
  #problem: string | undefined;
  #pendingBytes = 0;
  #room: (() => void)[] = [];
  /** Waiters, with the number of commits each still waits for. */
  #settling: { rounds: number; resolve(): void }[] = [];
  readonly #failureListeners = new Set<() => void>();
  readonly times = new CommitTimes();
  readonly counters = { commits: 0, failed: 0, events: 0, refused: 0 };

  constructor(store: CommitStore, options: GroupCommitOptions) {
    this.#store = store;
    this.#options = options;
  }

  /** Why commits fail; undefined while they succeed. */
  get problem(): string | undefined {
    return this.#problem ?? (this.isSuspended ? SUSPENDED : undefined);
  }

  /** Whether this node may have lost its sessions to others, and so writes nothing for now. */
  get isSuspended(): boolean {
    return this.#options.ownership?.suspended !== undefined;
  }

  get pendingBytes(): number {
    return this.#pendingBytes;
  }

  /** The source has new data of about this size. */
  touch(source: CommitSource, bytes: number): void {
    this.#isAwaited = true;
    this.#note(source, bytes);
    this.#start();
  }

  /** For what an agent streams: where commits have a pace, it may wait a few milliseconds for what others stream. */
  touchSoon(source: CommitSource, bytes: number): void {
    this.#note(source, bytes);
    this.#startInPace();
  }

  /** For appends nobody waits for: our line and the agent's answer to it become one commit instead of two. */
  touchLater(source: CommitSource, bytes: number): void {
    this.#note(source, bytes);
    if (this.#pendingBytes > PATIENCE_BYTES) this.#start();
    else if (!this.#isRunning) this.#patience ??= setTimeout(() => this.#start(), PATIENCE_MS);
  }

  /** Resolves when more may be read from an agent. */
  room(): Promise<void> | undefined {
    if (this.#isClosing) return undefined;
    if (this.isSuspended) return this.#resumed().then(() => this.room());
    const isFree = this.#problem === undefined && this.#pendingBytes < this.#options.maxPendingBytes;
    if (isFree) return undefined;
    return new Promise((resolve) => this.#room.push(resolve));
  }

  /** Calls `listener` whenever a commit fails, or nothing is written for now. Returns a way to stop. */
  onFailure(listener: () => void): () => void {
    this.#failureListeners.add(listener);
    return () => this.#failureListeners.delete(listener);
  }

  /** Nothing is written for now. What has been collected is written when that is over. */
  tellWaiting(): void {
    for (const listener of this.#failureListeners) listener();
  }

  /** Resolves when everything touched so far is committed or given up: after the running commit and the next one. */
  settled(): Promise<void> {
    this.#isAwaited = true;
    if (this.#dirty.size > 0) this.#start();
    if (!this.#isRunning) return Promise.resolve();
    return new Promise((resolve) => this.#settling.push({ rounds: 2, resolve }));
  }

  /** From now on a failed commit is given up instead of retried. */
  close(): void {
    this.#isClosing = true;
    this.#closed.resolve();
    this.#makeRoom();
  }

  #note(source: CommitSource, bytes: number): void {
    this.#pendingBytes += bytes;
    this.#dirty.add(source);
  }

  #start(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    clearTimeout(this.#patience);
    clearTimeout(this.#gathering);
    this.#patience = undefined;
    this.#gathering = undefined;
    setImmediate(() => void this.#run());
  }

  /** While a commit runs, the end of it decides. */
  #startInPace(): void {
    if (this.#isRunning) return;
    const pauseMs = this.#pauseMs;
    if (pauseMs === 0) this.#start();
    else this.#gathering ??= setTimeout(() => this.#start(), Math.ceil(pauseMs));
  }

  /** Until the next commit should begin. */
  get #pauseMs(): number {
    const { pace } = this.#options;
    return !pace || this.#isAwaited || this.#pendingBytes > PATIENCE_BYTES ? 0 : pace.pauseMs;
  }

  async #run(): Promise<void> {
    while (this.#dirty.size > 0 && this.#pauseMs === 0) {
      const bytes = this.#pendingBytes;
      const collected = this.#collect();
      if (collected.length > 0) await this.#commit(collected);
      this.#pendingBytes -= bytes;
      this.#makeRoom();
      this.#endRound();
    }
    this.#isRunning = false;
    if (this.#dirty.size > 0) return this.#startInPace();
    for (const { resolve } of this.#settling.splice(0)) resolve();
  }

  /** Measures it with all that it waits for. */
  async #commit(collected: readonly Collected[]): Promise<void> {
    const { pace } = this.#options;
    const { commits } = this.counters;
    pace?.began();
    this.times.began();
    await this.#append(collected);
    const tookMs = this.times.ended(this.counters.commits > commits);
    pace?.ended(tookMs);
  }

  #endRound(): void {
    for (const waiter of this.#settling) waiter.rounds -= 1;
    const done = this.#settling.filter(({ rounds }) => rounds <= 0);
    this.#settling = this.#settling.filter(({ rounds }) => rounds > 0);
    for (const { resolve } of done) resolve();
  }

  #makeRoom(): void {
    for (const resolve of this.#room.splice(0)) resolve();
  }

  #collect(): Collected[] {
    this.#isAwaited = false;
    const collected: Collected[] = [];
    for (const source of this.#dirty) {
      const append = this.#attempt(source, () => source.collect());
      if (append) collected.push({ source, append });
    }
    this.#dirty.clear();
    return collected;
  }

  /** An error in one session costs that session, never the commit of the others. */
  #attempt<Result>(source: CommitSource, act: () => Result): Result | undefined {
    try {
      return act();
    } catch (error) {
      this.#options.onFailure?.(error);
      source.failed(error);
      return undefined;
    }
  }

  async #append(all: readonly Collected[]): Promise<void> {
    let collected = all;
    while (true) {
      if (this.isSuspended) await this.#resumed();
      collected = collected.filter(({ source }) => !source.hasEnded);
      if (this.isSuspended) return this.#giveUp(collected, new Error(SUSPENDED));
      try {
        const { refused, cutShort = [] } = await this.#store.append(collected.map(({ append }) => append));
        // A node that was stopped meanwhile does not act on what it has written before it knows that it lives.
        if (this.isSuspended) await this.#resumed();
        if (refused.length > 0) collected = this.#giveUpMoved(collected, refused);
        for (const cut of cutShort) collected = this.#giveUpCutShort(collected, cut);
        break;
      } catch (error) {
        if (!isRetryable(error)) return this.#appendEach(collected, error);
        this.#noteFailure(error);
        if (this.#isClosing) return this.#giveUp(await this.#unwritten(collected), error);
        await sleep(this.#options.retryMs ?? 500);
        collected = await this.#unwritten(collected);
        if (collected.length === 0) return;
      }
    }
    this.#noteSuccess(collected);
  }

  /** Resolves when writing is allowed again, or not waited for any more. */
  async #resumed(): Promise<void> {
    await Promise.race([this.#options.ownership?.suspended, this.#closed.promise]);
  }

  /** Returns the others. */
  #giveUpMoved(collected: readonly Collected[], refused: readonly string[]): readonly Collected[] {
    const isRefused = ({ append }: Collected) => refused.includes(append.session);
    for (const one of collected.filter(isRefused)) {
      this.counters.refused += 1;
      one.source.failed(sessionMoved(one.append.session));
    }
    return collected.filter((one) => !isRefused(one));
  }

  /** Returns the others. */
  #giveUpCutShort(collected: readonly Collected[], { session, head }: CutShort): readonly Collected[] {
    const isCut = ({ append }: Collected) => append.session === session;
    for (const { source } of collected.filter(isCut)) source.failed(eventsLost(session, head));
    return collected.filter((one) => !isCut(one));
  }

  /** The appends that are not on disk. A commit can succeed and be reported as failed; then it must not be repeated. */
  async #unwritten(collected: readonly Collected[]): Promise<readonly Collected[]> {
    const written = await Promise.all(collected.map(({ append }) => this.#isWritten(append)));
    const isNew = (_: Collected, place: number) => !written[place];
    const done = collected.filter((one, place) => !isNew(one, place));
    if (done.length > 0) this.#noteSuccess(done);
    return collected.filter(isNew);
  }

  /**
   * Nobody else writes this session, so its log ends there only if this append was written. Where others may, the store
   * knows by the claim when it gets the append again.
   */
  async #isWritten({ session, claim, row }: SessionAppend): Promise<boolean> {
    if (claim) return false;
    const stored = await this.#store.getSession(session).catch(() => undefined);
    return stored !== undefined && stored.head === row.head && stored.rawHead === row.rawHead;
  }

  /** One session's data is wrong: the others must not suffer from it. */
  async #appendEach(all: readonly Collected[], error: unknown): Promise<void> {
    const collected = await this.#unwritten(all);
    if (collected.length === 0) return;
    if (all.length > 1) {
      for (const one of collected) await this.#append([one]);
      return;
    }
    // The store answered, so it is available again. Otherwise nobody would write, and it would stay unavailable.
    this.#noteAvailable();
    this.#options.onFailure?.(error);
    this.#giveUp(collected, error);
  }

  #giveUp(collected: readonly Collected[], error: unknown): void {
    for (const { source } of collected) source.failed(error);
  }

  #noteFailure(error: unknown): void {
    this.counters.failed += 1;
    this.#problem = errorText(error);
    this.#options.onFailure?.(error);
    this.tellWaiting();
  }

  #noteAvailable(): void {
    if (this.#problem === undefined) return;
    this.#problem = undefined;
    this.#options.onRecovery?.();
  }

  #noteSuccess(collected: readonly Collected[]): void {
    this.counters.commits += 1;
    this.#noteAvailable();
    for (const { source, append } of collected) {
      this.counters.events += append.events.length;
      this.#attempt(source, () => source.committed(append));
    }
  }
}

/** The store says itself whether a retry may succeed. */
export function isRetryable(error: unknown): boolean {
  return typeof error === "object" && error !== null && "retryable" in error && error.retryable === true;
}
