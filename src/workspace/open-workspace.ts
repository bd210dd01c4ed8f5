/** The workspace: checkpoints of directories, in repositories of ours that git makes and reads. */
import { dirname, resolve } from "node:path";
import type { CheckpointPair, CollectedGarbage, DirectoryUsage, Workspace } from "../core/workspace.ts";
import { inspectFile } from "../files/regular-file.ts";
import { type Captured, capture } from "./capture.ts";
import {
  deleteCheckpoints,
  discardCheckpoint,
  keepCheckpoint,
  listCheckpoints,
  listKept,
  mayHaveCheckpoints,
  releaseKept,
} from "./checkpoint-refs.ts";
import { collectGarbage, noteGarbage, sizeOf } from "./collect-garbage.ts";
import { compare } from "./compare.ts";
import type { AcquireLock } from "./directory-lock.ts";
import { DirectoryStores, type Place } from "./directory-stores.ts";
import { Git } from "./git.ts";
import { findGit, type GitVersion } from "./git-version.ts";
import { DEFAULT_LIMITS, type WorkspaceLimits } from "./limits.ts";
import {
  findPlaceObstacle,
  findRepositoryObstacle,
  findSizeObstacle,
  findSpaceObstacle,
} from "./obstacle.ts";
import { textOfPath } from "./path-text.ts";
import { applyPlan, findDone } from "./restore/apply-plan.ts";
import { comparePlan } from "./restore/compare-plan.ts";
import { planRestore } from "./restore/plan-restore.ts";
import type { SnapshotMemory } from "./snapshot.ts";
import { describeFailure, directoryOf, isStore, removeStore, sessionOfRefs, throwFailures } from "./store.ts";
import { changesOfPairs } from "./tree-changes.ts";
import { UnansweredDirectories } from "./unanswered-directories.ts";
import { UnchangedFiles } from "./unchanged-files.ts";
import { UserRepositories } from "./user-repositories.ts";
import { TrackedIgnoredFiles } from "./user-repository.ts";
import { WorkspaceError } from "./workspace-error.ts";

export interface WorkspaceOptions {
  /** Where checkpoints are kept: a folder of the data directory, unless nodes share it. */
  readonly directory: string;
  /** The data directory; that around `directory` when absent. */
  readonly data?: string;
  /** Whether other nodes keep checkpoints in the same directory. */
  readonly isShared?: boolean;
  /** Takes the locks of stores, where that is not for one machine alone. */
  readonly acquire?: AcquireLock;
  readonly limits?: Partial<WorkspaceLimits>;
  /** Milliseconds since the epoch. */
  now?(): number;
}

/** Opens nothing yet; a directory's repository is made with its first checkpoint. */
export function openWorkspace(options: WorkspaceOptions): Workspace {
  return new GitWorkspace(options);
}

const CHECKPOINTS_BETWEEN_MEASURES = 50;
const MAX_KNOWN_TREES = 1000;

/** Directories whose files are remembered, where others may have changed their stores. */
const MAX_MEMORIES = 50;

class GitWorkspace implements Workspace {
  readonly #stores: DirectoryStores;
  readonly #data: string;
  readonly #isShared: boolean;
  readonly #limits: WorkspaceLimits;
  readonly #now: () => number;
  readonly #repositories = new UserRepositories();
  readonly #unanswered = new UnansweredDirectories();
  /** For all stores together; where nodes share them, for each. */
  readonly #memories = new Map<string, SnapshotMemory>();
  /** The number of a session's last checkpoint, by store. */
  readonly #numbers = new Map<string, Map<string, number>>();
  /** Of the latest checkpoints, by id: where two have the same tree there is nothing to compare. */
  readonly #trees = new Map<string, string>();
  readonly #checkpointsUntilMeasured = new Map<string, number>();
  #git: GitVersion | undefined;

  constructor({ directory, data, limits, isShared = false, acquire, now = Date.now }: WorkspaceOptions) {
    this.#isShared = isShared;
    this.#data = resolve(data ?? dirname(resolve(directory)));
    this.#stores = new DirectoryStores({
      folder: directory,
      isShared,
      acquire,
      onMoved: (store) => {
        this.#memories.delete(store);
        this.#numbers.delete(store);
      },
    });
    this.#limits = { ...DEFAULT_LIMITS, ...limits };
    this.#now = now;
  }

  async obstacle(directory: string): Promise<string | undefined> {
    if (!(await inspectFile(directory))?.isDirectory()) return `${directory} is not a directory.`;
    const place = await this.#stores.place(directory);
    return await this.#unanswered.run(place.directory, async () => {
      const plain =
        (await this.#findPlainObstacle(place.directory)) ?? (await findRepositoryObstacle(place.directory));
      if (plain) return plain;
      return await this.#stores.hold(place, () =>
        findSizeObstacle(place.store, place.directory, this.#limits),
      );
    });
  }

  async capture(request: { session: string; directory: string }, signal?: AbortSignal) {
    const place = await this.#stores.place(request.directory);
    await this.#assertPossible(place);
    const { id, record, notices } = await this.#unanswered.run(place.directory, () =>
      this.#stores.hold(place, () => this.#capture(place, request, signal), signal),
    );
    const uncovered = record.uncovered.map(({ path, reason }) => ({ path: textOfPath(path), reason }));
    return { id, uncovered, ...(notices.length > 0 && { notices }) };
  }

  async findKept(directory: string, checkpoints: readonly string[]): Promise<ReadonlySet<string>> {
    const { store } = await this.#stores.locate(directory);
    if (checkpoints.length === 0 || !isStore(store)) return new Set();
    const git = new Git(store, store);
    // By refs: the commit of one that is just being deleted may outlive its files.
    const kept = new Set([...(await listCheckpoints(git)).map(({ id }) => id), ...(await listKept(git))]);
    return new Set(checkpoints.filter((id) => kept.has(id)));
  }

  async keep({ session, directory, checkpoint }: Parameters<Workspace["keep"]>[0]): Promise<void> {
    const place = await this.#stores.existing(directory);
    await this.#stores.hold(place, () =>
      keepCheckpoint(new Git(place.store, place.store), session, checkpoint),
    );
  }

  async discard({ session, directory, checkpoint }: Parameters<Workspace["discard"]>[0]): Promise<void> {
    const place = await this.#stores.existing(directory);
    const git = new Git(place.store, place.store);
    await this.#stores.hold(place, () => discardCheckpoint(git, session, checkpoint));
  }

  async findChangedPaths(request: Parameters<Workspace["findChangedPaths"]>[0], signal?: AbortSignal) {
    const { store } = await this.#stores.existing(request.directory);
    const differing = request.pairs.filter((pair) => !this.#isSameTree(pair));
    const changes = await changesOfPairs(new Git(store, store), differing, signal);
    const found = new Map(
      differing.map((pair, at) => [pair, changes[at]!.map(({ path }) => textOfPath(path))]),
    );
    return request.pairs.map((pair) => found.get(pair) ?? []);
  }

  async compare(request: Parameters<Workspace["compare"]>[0], signal?: AbortSignal) {
    const { store } = await this.#stores.existing(request.directory);
    if (this.#isSameTree(request)) return [];
    return await compare(new Git(store, store), request, signal);
  }

  async plan(request: Parameters<Workspace["plan"]>[0], signal?: AbortSignal) {
    const place = await this.#stores.existing(request.directory);
    await this.#assertPossible(place);
    return await this.#stores.hold(
      place,
      async () => {
        const now = await this.#unanswered.run(place.directory, () =>
          this.#capture(place, { ...request, isDurable: true }, signal),
        );
        try {
          return await planRestore(place.directory, now, request, signal);
        } catch (error) {
          // Nobody else knows of it. If this fails too, it goes when it is old.
          const git = new Git(place.store, place.store);
          await discardCheckpoint(git, request.session, now.id).catch(() => undefined);
          throw error;
        }
      },
      signal,
    );
  }

  async comparePlan({ directory, plan }: Parameters<Workspace["comparePlan"]>[0]) {
    const place = await this.#stores.existing(directory);
    // Under the lock: what it makes to compare is garbage from the beginning.
    return await this.#stores.hold(place, () => comparePlan(new Git(place.store, place.store), plan));
  }

  async apply({ directory, plan }: Parameters<Workspace["apply"]>[0]) {
    const place = await this.#stores.existing(directory);
    const git = new Git(place.store, place.store);
    return await this.#stores.hold(place, () => applyPlan(git, place.directory, plan));
  }

  async findDone({ directory, plan }: Parameters<Workspace["findDone"]>[0]) {
    const place = await this.#stores.existing(directory);
    const git = new Git(place.store, place.store);
    return await this.#stores.hold(place, () => findDone(git, place.directory, plan));
  }

  async forget(session: string): Promise<void> {
    this.#trees.clear();
    const failures = await this.#stores.each(async (store) => {
      if (!(await mayHaveCheckpoints(store, session))) return;
      await this.#stores.holdIfThere(store, async () => {
        const git = new Git(store, store);
        await noteGarbage(store);
        await releaseKept(git, session);
        await deleteCheckpoints(git, await listCheckpoints(git, session));
        this.#numbers.get(store)?.delete(session);
        if ((await listCheckpoints(git)).length > 0) return;
        this.#numbers.delete(store);
        await removeStore(store);
      });
    });
    throwFailures(failures);
  }

  async forgetUnless(isKnown: (session: string) => Promise<boolean>, before: number): Promise<void> {
    const latest = new Map<string, number>();
    await this.#stores.each(async (store) => {
      for (const { session, at } of await listCheckpoints(new Git(store, store)))
        latest.set(session, Math.max(at, latest.get(session) ?? 0));
    });
    for (const [name, at] of latest) {
      const session = sessionOfRefs(name);
      if (at < before && !(await isKnown(session))) await this.forget(session);
    }
  }

  async usage(): Promise<DirectoryUsage[]> {
    const usages: DirectoryUsage[] = [];
    const failures = await this.#stores.each(async (store) => {
      try {
        const { length: checkpoints } = await listCheckpoints(new Git(store, store));
        usages.push({ directory: await directoryOf(store), checkpoints, bytes: await sizeOf(store) });
      } catch (error) {
        // It goes with its last checkpoint.
        if (isStore(store)) throw error;
      }
    });
    for (const failure of failures)
      usages.push({ ...(await describeFailure(failure)), bytes: await sizeOf(failure.store) });
    return usages.sort((a, b) => b.bytes - a.bytes);
  }

  async collectGarbage(signal?: AbortSignal): Promise<CollectedGarbage> {
    let dropped = 0;
    this.#trees.clear();
    const failures = await this.#stores.eachInBackground(async (store, either) => {
      const options = { limits: this.#limits, now: this.#now(), signal: either };
      dropped += await collectGarbage(new Git(store, store), options);
    }, signal);
    return { dropped, failed: await Promise.all(failures.map(describeFailure)) };
  }

  async #capture(
    place: Place,
    request: { session: string; isDurable?: boolean },
    signal?: AbortSignal,
  ): Promise<Captured> {
    const { store, directory } = place;
    const { session, isDurable } = request;
    const memory = this.#memoryOf(store);
    const obstacle = (await findSpaceObstacle(store, this.#limits)) ?? (await this.#findFullStore(store));
    if (obstacle) throw new WorkspaceError(obstacle);
    const numbers = this.#numbers.get(store) ?? new Map<string, number>();
    this.#numbers.set(store, numbers);
    const last = numbers.get(session) ?? (await this.#lastNumber(store, session));
    // Also if it fails: an orphaned git may still publish it.
    numbers.set(session, last + 1);
    try {
      const captured = await capture(
        {
          store,
          directory,
          isDurable,
          repositories: this.#repositories,
          session,
          number: last + 1,
          at: this.#now(),
        },
        {
          limits: this.#limits,
          memory,
          canPack: this.#git?.isUsable === true && this.#git.canPack,
          signal,
        },
      );
      if (this.#trees.size >= MAX_KNOWN_TREES) this.#trees.clear();
      this.#trees.set(captured.id, captured.tree);
      return captured;
    } catch (error) {
      memory.trees.clear();
      throw error;
    }
  }

  #memoryOf(store: string): SnapshotMemory {
    const key = this.#isShared ? store : "";
    const known = this.#memories.get(key) ?? {
      trees: new Map(),
      trackedIgnored: new TrackedIgnoredFiles(),
      unchanged: new UnchangedFiles(),
    };
    // The one that was used last is the last to go.
    this.#memories.delete(key);
    this.#memories.set(key, known);
    const [oldest] = this.#memories.keys();
    if (this.#memories.size > MAX_MEMORIES) this.#memories.delete(oldest!);
    return known;
  }

  #isSameTree({ from, to }: CheckpointPair): boolean {
    const tree = this.#trees.get(from);
    return tree !== undefined && tree === this.#trees.get(to);
  }

  async #assertPossible({ directory }: Place): Promise<void> {
    const obstacle = await this.#findPlainObstacle(directory);
    if (obstacle) throw new WorkspaceError(obstacle);
  }

  /** One that is there whatever is in the directory. */
  async #findPlainObstacle(directory: string): Promise<string | undefined> {
    if (!this.#git?.isUsable) this.#git = await findGit();
    if (!this.#git.isUsable) return this.#git.reason;
    return await findPlaceObstacle(directory, { data: this.#data, workspaces: this.#stores.folder });
  }

  /** Looks only now and then: it goes through all files of the store. */
  async #findFullStore(store: string): Promise<string | undefined> {
    const left = this.#checkpointsUntilMeasured.get(store) ?? 0;
    this.#checkpointsUntilMeasured.set(store, left - 1);
    if (left > 0) return undefined;
    const maxBytes = 2 * this.#limits.maxKeptBytes;
    if ((await sizeOf(store)) > maxBytes)
      return `The checkpoints of this directory take more than ${Math.floor(maxBytes / 2 ** 20)} MiB.`;
    this.#checkpointsUntilMeasured.set(store, CHECKPOINTS_BETWEEN_MEASURES);
    return undefined;
  }

  async #lastNumber(store: string, session: string): Promise<number> {
    return (await listCheckpoints(new Git(store, store), session)).at(-1)?.number ?? 0;
  }
}
