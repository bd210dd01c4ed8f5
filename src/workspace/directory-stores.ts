/** The stores of all directories: where each one is, and who may work in it now. What is in them is not its business. */
import { mkdirSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { resolve } from "node:path";
import { DirectoryLocks } from "./directory-lock.ts";
import {
  createStore,
  forEachStore,
  isStore,
  removeHalfStores,
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

export class DirectoryStores {
  /** The folder they are in. */
  readonly folder: string;
  readonly #locks = new DirectoryLocks();
  /** Stores that were looked after since this process runs. */
  readonly #cleaned = new Set<string>();
  /** Ends what runs in the background in a store when somebody wants it. */
  readonly #background = new Map<string, AbortController>();
  /** What was left half done goes before anything is made. */
  #prepared: Promise<void> | undefined;

  constructor(folder: string) {
    this.folder = resolve(folder);
  }

  /** Of a directory that is there. */
  async place(directory: string): Promise<Place> {
    // Who may not look into the data directory has none; realpath names what is missing.
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    const real = await realpath(directory);
    return { directory: real, store: storeOf(this.folder, real) };
  }

  /** Of a directory that had checkpoints; it may be gone by now. */
  async existing(directory: string): Promise<Place> {
    const place = await this.locate(directory);
    if (!isStore(place.store)) throw new WorkspaceError(`There are no checkpoints of ${directory}.`);
    return place;
  }

  async locate(directory: string): Promise<Place> {
    const real = await realpath(directory).catch(() => resolve(directory));
    return { directory: real, store: storeOf(this.folder, real) };
  }

  /** Runs the action alone for its directory, in a store that is there and clean. */
  async hold<Result>(
    { store, directory }: Place,
    action: () => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> {
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

  /** Undefined if the store has gone meanwhile. */
  holdIfThere<Result>(
    store: string,
    action: () => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result | undefined> {
    this.#background.get(store)?.abort();
    return this.#locks.hold(store, async () => (isStore(store) ? await action() : undefined), signal);
  }

  /** See `forEachStore`. */
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
        // A session that was deleted meanwhile may have taken it.
        await this.#locks.hold(store, async () => (isStore(store) ? await action(store, either) : undefined));
      } catch (error) {
        if (!wanted.signal.aborted) throw error;
      } finally {
        this.#background.delete(store);
      }
    }, signal);
  }

  async #prepare(): Promise<void> {
    this.#prepared ??= removeHalfStores(this.folder);
    await this.#prepared;
  }
}
