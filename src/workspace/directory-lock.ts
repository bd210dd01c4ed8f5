/**
 * One at a time for each directory: a queue in this process, and between processes a lock of the operating system, which
 * goes with the process however it ends. Between nodes that share a directory it is one of theirs.
 */
import { statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import type { HeldLock, TakeOptions } from "../core/node-lock.ts";
import { createPrivateFile } from "../files/private-file.ts";
import { type LockContext, underLock } from "./lock-context.ts";

const SQLITE_BUSY = 5;
const RETRY_MS = 5;

/** A lock of a store. */
export type AcquiredLock = Pick<HeldLock, "hasMoved" | "isAbandoned" | "wanted" | "release"> &
  Partial<LockContext>;

/** Takes the lock of a store; undefined only for work in the background, where another one has it. */
export type AcquireLock = (store: string, options: TakeOptions) => Promise<AcquiredLock | undefined>;

export class DirectoryLocks {
  readonly #last = new Map<string, Promise<unknown>>();
  readonly #acquire: AcquireLock;

  constructor(acquire: AcquireLock = acquireFile) {
    this.#acquire = acquire;
  }

  /** Runs the action when all earlier ones for this store have ended. Rejects when it is aborted while it waits. */
  async hold<Result>(
    store: string,
    action: (lock: AcquiredLock) => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> {
    // Only what runs in the background may find it taken.
    return (await this.#enqueue(store, action, { signal })) as Result;
  }

  /** The same, unless another node has it: then undefined. `wanted` of the lock says when one waits. */
  holdInBackground<Result>(
    store: string,
    action: (lock: AcquiredLock) => Promise<Result>,
  ): Promise<Result | undefined> {
    return this.#enqueue(store, action, { isBackground: true });
  }

  async #enqueue<Result>(
    store: string,
    action: (lock: AcquiredLock) => Promise<Result>,
    options: TakeOptions,
  ): Promise<Result | undefined> {
    const { signal } = options;
    const before = this.#last.get(store) ?? Promise.resolve();
    const result = before.then(async () => {
      signal?.throwIfAborted();
      const lock = await this.#acquire(store, options);
      if (!lock) return undefined;
      try {
        const { confirm, isHeld = () => true, environment = {} } = lock;
        if (!confirm) return await action(lock);
        return await underLock({ confirm, isHeld, environment }, () => action(lock));
      } finally {
        await lock.release();
      }
    });
    const ended = result.then(
      () => {},
      () => {},
    );
    this.#last.set(store, ended);
    void ended.then(() => {
      if (this.#last.get(store) === ended) this.#last.delete(store);
    });
    return await abortable(result, before, signal);
  }

  isHeld(store: string): boolean {
    return this.#last.has(store);
  }
}

/** Who is aborted in the queue is told at once; who has begun, when it has ended. */
async function abortable<Result>(
  result: Promise<Result>,
  before: Promise<unknown>,
  signal?: AbortSignal,
): Promise<Result> {
  if (!signal) return await result;
  result.catch(() => {});
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  try {
    await Promise.race([before, aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
  return await result;
}

/** By a lock of the operating system. */
export async function acquireFile(store: string, { signal }: TakeOptions = {}): Promise<AcquiredLock> {
  const path = join(store, "lock.db");
  for (;;) {
    createPrivateFile(path);
    const { ino } = statSync(path);
    const database = new DatabaseSync(path, { timeout: 0 });
    try {
      database.exec("BEGIN EXCLUSIVE");
      // The lock is on a file and not on its name: another store may have the name by now.
      if (statSync(path, { throwIfNoEntry: false })?.ino !== ino) {
        database.close();
        continue;
      }
      return { hasMoved: false, isAbandoned: false, release: async () => database.close() };
    } catch (error) {
      database.close();
      if (((error as { errcode?: number }).errcode ?? 0) % 256 !== SQLITE_BUSY) throw error;
    }
    await sleep(RETRY_MS, undefined, { signal });
  }
}
