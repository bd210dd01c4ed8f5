/**
 * Makes snapshots of a small root without git, as long as no name and no rule has changed since git looked. Everything a
 * snapshot depends on is compared: ignore rules, names, and what the system says of each file. Only a file of which it
 * says something else is read, and one that changed just before the last look. Where anything is not sure, git looks.
 */
import { join } from "node:path";
import { TimeSlices } from "../core/time-slices.ts";
import type { FileVersion } from "../core/workspace.ts";
import { buildTree } from "./build-tree.ts";
import { hasOtherMtime, hasTimes, readStates, SETTLING_MS } from "./file-state.ts";
import { GitError } from "./git.ts";
import type { WorkspaceLimits } from "./limits.ts";
import { listIgnored } from "./list-ignored.ts";
import { writeObject } from "./loose-object.ts";
import { type FileContent, readContents } from "./read-content.ts";
import { countEntries, readIndex } from "./read-index.ts";
import type { Root } from "./root.ts";
import type { Snapshot } from "./snapshot.ts";
import { trustsModes } from "./store.ts";
import { isStillStored, type StoredTree, storedTree } from "./stored-tree.ts";
import { isSameVersion } from "./tree-changes.ts";
import { isRules, MAX_WALKED_FILES, type Walk, walkFiles } from "./walk-files.ts";

/** Of files that changed, together. */
const MAX_READ_BYTES = 4 * 2 ** 20;
/** Others are looked at by git. */
const MAX_ROOTS = 50;
/** How long git looks at what was found to be large. */
const LARGE_MS = 600_000;
/** The clock was set. */
const MAX_CLOCK_DRIFT_MS = 1000;

/** A look at all files, before git looks. */
export interface Look {
  readonly walk: Walk;
  /** Whether it is sure which files are ignored. */
  readonly isTrusted: boolean;
}

export interface FindOptions {
  /** Files that the person's repository has although a rule ignores them. */
  readonly tracked: readonly string[];
  readonly limits: Pick<WorkspaceLimits, "maxFileBytes">;
  readonly signal: AbortSignal | undefined;
}

/** A snapshot, and what there was when it was made. */
interface KnownSnapshot {
  readonly snapshot: Snapshot;
  readonly walk: Walk;
  /** Files whose content has to be compared. */
  readonly unsettled: ReadonlySet<string>;
  readonly entries: ReadonlyMap<string, FileVersion>;
  readonly index: string;
  readonly stored: StoredTree;
  /** How far the clock is from one that nobody sets. */
  readonly clock: number;
}

interface KnownRoot {
  /** What the rules leave out; undefined when git has to be asked. */
  ignored?: ReadonlySet<string>;
  askedAt: number;
  /** The rules it is true for; undefined while that is not sure. */
  rules?: string;
  /** When it had too many files. */
  largeAt?: number;
  last?: KnownSnapshot;
}

export class UnchangedFiles {
  readonly #roots = new Map<string, KnownRoot>();
  readonly #slices = new TimeSlices();

  /** To be called before git looks: what changes from now on is noticed the next time. */
  async look(root: Root, signal?: AbortSignal): Promise<Look | undefined> {
    const index = join(root.folder, "index");
    const known = this.#knownRoot(root.folder);
    if (known.largeAt !== undefined && Date.now() - known.largeAt < LARGE_MS) return undefined;
    if ((await countEntries(index)) > MAX_WALKED_FILES) return undefined;
    const isFirst = known.ignored === undefined;
    if (isFirst) known.askedAt = Date.now();
    const ignored = known.ignored ?? (await this.#listIgnored(root, index, signal));
    if (!ignored) return undefined;
    known.ignored = ignored;
    const walk = await walkFiles({ root: root.git.root, prefix: root.prefix, ignored, slices: this.#slices });
    if (walk === "unclear") return undefined;
    if (walk === "too-much") {
      // Something large may be ignored by now.
      if (isFirst) known.largeAt = Date.now();
      this.#askAgain(known);
      return undefined;
    }
    const rules = rulesOf(root, walk);
    const areSettled = ![...walk.unsettled].some(isRules);
    if (known.rules === undefined && areSettled && walk.at - known.askedAt < SETTLING_MS) known.rules = rules;
    const isTrusted = known.rules === rules;
    if (!isTrusted && areSettled) this.#askAgain(known);
    return { walk, isTrusted };
  }

  /** A snapshot of what was looked at; undefined if git has to make it. */
  async find(
    root: Root,
    look: Look,
    { tracked, limits, signal }: FindOptions,
  ): Promise<Snapshot | undefined> {
    const known = this.#knownRoot(root.folder);
    const { last } = known;
    const changed = last && look.isTrusted && listChanged(last.walk.states, look.walk.states);
    if (!changed) return undefined;
    if (Math.abs(clockNow() - last.clock) > MAX_CLOCK_DRIFT_MS) return undefined;
    // Such a file may lie in a directory that is not entered.
    if (!tracked.every((path) => last.entries.has(path))) return undefined;
    if (last.index !== (await indexState(root))) return undefined;
    if (!(await isStillStored(root.git.store, last.stored))) return undefined;
    const toRead = new Set([...changed, ...last.unsettled]);
    // What was too large or special may be something else by now.
    if (![...toRead].every((path) => last.entries.has(path))) return undefined;
    const contents = await readContents(root.git.root, toRead, Math.min(MAX_READ_BYTES, limits.maxFileBytes));
    if (!contents) return undefined;
    const different = new Map(
      [...contents].filter(([path, version]) => !isSameVersion(version, last.entries.get(path))),
    );
    const updated = await updateSnapshot(root, last, different, signal);
    if (!updated) return undefined;
    known.last = { ...last, ...updated, walk: look.walk, unsettled: look.walk.unsettled };
    return known.last.snapshot;
  }

  /**
   * Files of the index that may have changed without git noticing. It compares times by the second, and does not read a
   * file whose time somebody has set back.
   */
  async listSuspects(root: Root, { walk }: Look): Promise<string[]> {
    const entries = await readIndex(join(root.folder, "index"));
    if (!entries) return [];
    const { last } = this.#knownRoot(root.folder);
    const unsettled = new Set([...walk.unsettled, ...(last?.unsettled ?? [])]);
    const known = [...unsettled].filter((path) => {
      const state = walk.states.get(path);
      return entries.has(path) && state !== undefined && hasOtherMtime(state);
    });
    const moved = [...entries].filter(([path, entry]) => {
      const state = walk.states.get(path);
      return state !== undefined && !hasTimes(state, entry);
    });
    const contents = await readContents(root.git.root, known, MAX_READ_BYTES);
    // All of them, if they are too many to read.
    const different = known.filter((path) => !isSameVersion(contents?.get(path), entries.get(path)));
    return [...new Set([...moved.map(([path]) => path), ...different])];
  }

  /** Git has looked: what it found is true for what was there before. */
  async remember(root: Root, look: Look | undefined, snapshot: Snapshot): Promise<void> {
    const known = this.#knownRoot(root.folder);
    known.last = undefined;
    if (!look?.isTrusted || snapshot.repositories.length > 0) return;
    if (snapshot.uncovered.some(({ reason }) => reason === "unreadable")) return;
    const { walk } = look;
    const index = await indexState(root);
    const entries =
      index === "" ? new Map<string, FileVersion>() : await readIndex(join(root.folder, "index"));
    if (!entries) return;
    const uncovered = new Set(snapshot.uncovered.map(({ path }) => root.prefix + path));
    const isIgnored = (path: string) => known.ignored?.has(path) === true;
    const isExplained = (path: string) =>
      path.endsWith("/") || entries.has(path) || uncovered.has(path) || isIgnored(path);
    // What is not explained is ignored by now, or was gone while git looked.
    const areExplained = [...walk.states.keys()].every(isExplained);
    // What git has found was there before, and was looked at.
    const wereThere = [...entries.keys()].every(
      (path) => walk.states.has(path) && (!isIgnored(path) || isRules(path)),
    );
    if (!areExplained || !wereThere) return this.#askAgain(known);
    known.last = {
      snapshot,
      walk,
      entries,
      index,
      unsettled: walk.unsettled,
      stored: await storedTree(root.git.store, snapshot.tree),
      clock: clockNow(),
    };
  }

  /** Undefined where git cannot tell: it will say why when it looks at the files. */
  async #listIgnored(root: Root, index: string, signal?: AbortSignal): Promise<Set<string> | undefined> {
    try {
      return await listIgnored(root, index, signal);
    } catch (error) {
      if (!(error instanceof GitError)) throw error;
      return undefined;
    }
  }

  /** What is ignored is asked again before the next look. */
  #askAgain(known: KnownRoot): void {
    known.ignored = undefined;
    known.rules = undefined;
  }

  #knownRoot(folder: string): KnownRoot {
    const known = this.#roots.get(folder) ?? { askedAt: 0 };
    // The one that was used last is the last to go.
    this.#roots.delete(folder);
    this.#roots.set(folder, known);
    const [oldest] = this.#roots.keys();
    if (this.#roots.size > MAX_ROOTS) this.#roots.delete(oldest!);
    return known;
  }
}

function rulesOf(root: Root, { states }: Walk): string {
  const files = [...states].filter(([path]) => isRules(path)).sort();
  return JSON.stringify([root.git.root, root.rules, files]);
}

/** Files with another state; undefined where there are other names. */
function listChanged(
  before: ReadonlyMap<string, string>,
  now: ReadonlyMap<string, string>,
): string[] | undefined {
  if (before.size !== now.size) return undefined;
  const changed: string[] = [];
  for (const [path, state] of now) {
    const known = before.get(path);
    if (known === undefined) return undefined;
    if (known !== state) changed.push(path);
  }
  return changed;
}

/** With other contents of some files. The index stays behind: git reads these files again when it looks. */
async function updateSnapshot(
  root: Root,
  { snapshot, entries, stored }: KnownSnapshot,
  different: ReadonlyMap<string, FileContent>,
  signal?: AbortSignal,
): Promise<Pick<KnownSnapshot, "snapshot" | "entries" | "stored"> | undefined> {
  if (different.size === 0) return { snapshot, entries, stored };
  const { git, prefix } = root;
  const before = buildTree(entries, prefix);
  // Ours has to be what git makes of the same files.
  if (before.id !== snapshot.tree || !(await trustsModes(git.store))) return undefined;
  const updated = new Map([...entries, ...different].map(([path, { mode, id }]) => [path, { mode, id }]));
  const after = buildTree(updated, prefix);
  signal?.throwIfAborted();
  for (const { content } of different.values()) await writeObject(git.store, "blob", content);
  for (const [id, content] of after.objects)
    if (!before.objects.has(id)) await writeObject(git.store, "tree", content);
  return {
    snapshot: { ...snapshot, tree: after.id },
    entries: updated,
    stored: await storedTree(git.store, after.id),
  };
}

function clockNow(): number {
  return Date.now() - performance.now();
}

async function indexState({ folder }: Root): Promise<string> {
  return (await readStates([join(folder, "index")])).states[0] ?? "";
}
