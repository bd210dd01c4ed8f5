/**
 * Group commit: everything that arrived while the last commit ran goes into the next one. There is no timer. A
 * failing commit publishes nothing and is tried again until it succeeds; meanwhile agents are not read.
 */
import type { SessionAppend, Store } from "../core/store.ts";

/** A session that has something to commit. */
export interface CommitSource {
  /** Hands over everything not yet collected; called once per commit. Undefined when there is nothing. */
  collect(): SessionAppend | undefined;
  /** The append is on disk. Called in the order of the commits. */
  committed(append: SessionAppend): void;
}

export interface GroupCommitOptions {
  maxPendingBytes: number;
  /** The pause before a failed commit is tried again. */
  retryMs?: number;
  onFailure?(error: unknown): void;
  onRecovery?(): void;
}

interface Collected {
  source: CommitSource;
  append: SessionAppend;
}

export class GroupCommit {
  readonly #store: Pick<Store, "append">;
  readonly #options: GroupCommitOptions;
  readonly #dirty = new Set<CommitSource>();
  #running: Promise<void> | undefined;
  #problem: string | undefined;
  #pendingBytes = 0;
  #room: (() => void)[] = [];
  readonly #failureListeners = new Set<() => void>();
  readonly counters = { commits: 0, failed: 0, events: 0 };

  constructor(store: Pick<Store, "append">, options: GroupCommitOptions) {
    this.#store = store;
    this.#options = options;
  }

  /** Why commits fail at the moment; undefined while they succeed. */
  get problem(): string | undefined {
    return this.#problem;
  }

  get pendingBytes(): number {
    return this.#pendingBytes;
  }

  /** The source has something new, of about this size. */
  touch(source: CommitSource, bytes: number): void {
    this.#pendingBytes += bytes;
    this.#dirty.add(source);
    this.#running ??= new Promise<void>((resolve) => setImmediate(resolve)).then(() => this.#run());
  }

  /** Resolves when more may be read from an agent. */
  room(): Promise<void> | undefined {
    if (this.#problem === undefined && this.#pendingBytes < this.#options.maxPendingBytes) return undefined;
    return new Promise((resolve) => this.#room.push(resolve));
  }

  /** Calls `listener` whenever a commit fails. Returns a way to stop. */
  onFailure(listener: () => void): () => void {
    this.#failureListeners.add(listener);
    return () => this.#failureListeners.delete(listener);
  }

  /** Resolves when everything that was touched so far is committed. */
  async settled(): Promise<void> {
    while (this.#running) await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#dirty.size > 0) {
      const collected = this.#collect();
      if (collected.length > 0) await this.#append(collected);
    }
    this.#running = undefined;
  }

  #collect(): Collected[] {
    const collected: Collected[] = [];
    for (const source of this.#dirty) {
      const append = source.collect();
      if (append) collected.push({ source, append });
    }
    this.#dirty.clear();
    return collected;
  }

  async #append(collected: readonly Collected[]): Promise<void> {
    const bytes = this.#pendingBytes;
    const batch = collected.map(({ append }) => append);
    while (!(await this.#tryAppend(batch))) await pause(this.#options.retryMs ?? 500);
    this.#pendingBytes -= bytes;
    for (const { source, append } of collected) {
      this.counters.events += append.events.length;
      source.committed(append);
    }
    const waiting = this.#room;
    this.#room = [];
    for (const resolve of waiting) resolve();
  }

  async #tryAppend(batch: readonly SessionAppend[]): Promise<boolean> {
    try {
      await this.#store.append(batch);
    } catch (error) {
      this.counters.failed += 1;
      this.#problem = error instanceof Error ? error.message : String(error);
      this.#options.onFailure?.(error);
      for (const listener of this.#failureListeners) listener();
      return false;
    }
    this.counters.commits += 1;
    if (this.#problem !== undefined) this.#options.onRecovery?.();
    this.#problem = undefined;
    return true;
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
