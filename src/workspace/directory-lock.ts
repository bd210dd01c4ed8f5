/**
 * One at a time for each directory: a queue in this process, and between processes a lock of the operating system, which
 * goes with the process however it ends.
 */
import { statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { createPrivateFile } from "../files/private-file.ts";

const SQLITE_BUSY = 5;
const RETRY_MS = 5;

export class DirectoryLocks {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs the action when all earlier ones for this store have ended. Rejects when it is aborted while it waits. */
  async hold<Result>(store: string, action: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    const before = this.#last.get(store) ?? Promise.resolve();
    const result = before.then(async () => {
      signal?.throwIfAborted();
      using _lock = await acquire(store, signal);
      return await action();
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

async function acquire(store: string, signal?: AbortSignal): Promise<Disposable> {
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
      return { [Symbol.dispose]: () => database.close() };
    } catch (error) {
      database.close();
      if (((error as { errcode?: number }).errcode ?? 0) % 256 !== SQLITE_BUSY) throw error;
    }
    await sleep(RETRY_MS, undefined, { signal });
  }
}
