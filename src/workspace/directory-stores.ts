/** The stores of all directories: where each one is, and who may work in it now. What is in them is not its business. */
import { mkdirSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { resolve } from "node:path";
import { HungError } from "../files/read-gate.ts";
import { lookAt } from "../files/regular-file.ts";
import { type AcquiredLock, type AcquireLock, DirectoryLocks } from "./directory-lock.ts";
import {
  createStore,
  forEachStore,
  isStore,
  removeHalfStores,
  removeHalves,
  removeLeftovers,
  type StoreFailure,
  storeOf,
} from "./store.ts";
import { WorkspaceError } from "./workspace-error.ts";

export interface Place {
  /** As a real path. */
  readonly directory: string;
  readonly store: string;
}

export interface DirectoryStoresOptions {
  readonly folder: string;
  /** Other nodes have stores in the same folder. `acquire` is among them, then. */
  readonly isShared?: boolean;
  readonly acquire?: AcquireLock;
  /** Somebody else may have changed the store since. */
  onMoved?(store: string): void;
}

export class DirectoryStores {
  readonly folder: string;
  readonly #isShared: boolean;
  readonly #onMoved: (store: string) => void;
  readonly #locks: DirectoryLocks;
  /** Stores that were looked after since this process runs. */
  readonly #cleaned = new Set<string>();
  /** Ends what runs in the background in a store when somebody wants it. */
  readonly #background = new Map<string, AbortController>();
  /** What was left half done goes before anything is made. */
  #prepared: Promise<void> | undefined;

  constructor({ folder, isShared = false, acquire, onMoved = () => {} }: DirectoryStoresOptions) {
    this.folder = resolve(folder);
    this.#isShared = isShared;
    this.#onMoved = onMoved;
    this.#locks = new DirectoryLocks(acquire);
  }

  /** Of a directory that is there. */
  async place(directory: string): Promise<Place> {
    // Who may not look into the data directory has none; realpath names what is missing.
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    const real = await findReal(directory);
    return { directory: real, store: storeOf(this.folder, real) };
  }

  /** Of a directory that had checkpoints; it may be gone by now. */
  async existing(directory: string): Promise<Place> {
    const place = await this.locate(directory);
    if (!isStore(place.store)) throw new WorkspaceError(`There are no checkpoints of ${directory}.`);
    return place;
  }

  async locate(directory: string): Promise<Place> {
    const real = await findReal(directory).catch((error: unknown) => {
      if (error instanceof HungError) throw error;
      return resolve(directory);
    });
    return { directory: real, store: storeOf(this.folder, real) };
  }

  /** Runs the action alone for its directory, in a store that is there and clean. */
  async hold<Result>(
    { store, directory }: Place,
    action: () => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> {
    if (this.#isShared) return this.#holdShared({ store, directory }, action, signal);
    const attempt = async () => {
      if (!this.#cleaned.has(store)) await removeLeftovers(store);
      this.#cleaned.add(store);
      return { result: await action() };
    };
    await this.#prepare();
    for (;;) {
      await createStore(store, directory);
      // It goes with its last checkpoint, and somebody else may just have taken that.
      const done = await this.holdIfThere(store, attempt, signal);
      if (done) return done.result;
    }
  }

  /** The lock is outside the store, so that nobody else makes or removes it meanwhile. */
  #holdShared<Result>(
    { store, directory }: Place,
    action: () => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> {
    this.#background.get(store)?.abort();
    return this.#locks.hold(
      store,
      async (lock) => {
        await this.#takeOver(store, lock);
        await createStore(store, directory);
        return await action();
      },
      signal,
    );
  }

  /** What a holder that died has left half done goes: what it still wants to do with that fails then. */
  async #takeOver(store: string, { hasMoved, isAbandoned }: AcquiredLock): Promise<void> {
    if (hasMoved) this.#onMoved(store);
    if (!isAbandoned) return;
    await removeHalves(store);
    if (isStore(store)) await removeLeftovers(store);
  }

  /** Undefined if the store has gone meanwhile. */
  holdIfThere<Result>(
    store: string,
    action: () => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result | undefined> {
    this.#background.get(store)?.abort();
    return this.#locks.hold(
      store,
      async (lock) => {
        await this.#takeOver(store, lock);
        return isStore(store) ? await action() : undefined;
      },
      signal,
    );
  }

  async each(action: (store: string) => Promise<void>, signal?: AbortSignal): Promise<StoreFailure[]> {
    await this.#prepare();
    return await forEachStore(this.folder, action, signal);
  }

  /** In each store that nobody works in, alone. Whoever wants one meanwhile ends the action there, which is no failure. */
  eachInBackground(
    action: (store: string, signal: AbortSignal) => Promise<void>,
    signal?: AbortSignal,
  ): Promise<StoreFailure[]> {
    return this.each(async (store) => {
      if (this.#locks.isHeld(store)) return;
      const wanted = new AbortController();
      const either = signal ? AbortSignal.any([signal, wanted.signal]) : wanted.signal;
      this.#background.set(store, wanted);
      try {
        await this.#locks.holdInBackground(store, async (lock) => {
          lock.wanted?.addEventListener("abort", () => wanted.abort(), { once: true });
          await this.#takeOver(store, lock);
          // A session that was deleted meanwhile may have taken it.
          if (isStore(store)) await action(store, either);
        });
      } catch (error) {
        if (!wanted.signal.aborted) throw error;
      } finally {
        this.#background.delete(store);
      }
    }, signal);
  }

  async #prepare(): Promise<void> {
    this.#prepared ??= this.#isShared ? Promise.resolve() : removeHalfStores(this.folder);
    await this.#prepared;
  }
}

function findReal(directory: string): Promise<string> {
  return lookAt(directory, () => realpath(directory));
}
