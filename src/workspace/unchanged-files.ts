/**
 * Knows without git that nothing in a small root has changed since its last snapshot. Everything a snapshot depends on is
 * compared: ignore rules, names, what the system says of each file, and the content of a file that changed just before.
 * Where one thing is different or not sure the answer is no, and git looks.
 */
import { createHash } from "node:crypto";
import { lstatSync, type Stats } from "node:fs";
import { readFile, readlink } from "node:fs/promises";
import { join } from "node:path";
import { TimeSlices } from "../core/time-slices.ts";
import { hasTimes, readStates, SETTLING_MS } from "./file-state.ts";
import { GitError } from "./git.ts";
import { pathBytes } from "./inspect-file.ts";
import { listIgnored } from "./list-ignored.ts";
import { countEntries, type IndexEntry, readIndex } from "./read-index.ts";
import type { Root } from "./root.ts";
import type { Snapshot } from "./snapshot.ts";
import { isStillStored, type StoredTree, storedTree } from "./stored-tree.ts";
import { isRules, MAX_WALKED_FILES, type Walk, walkFiles } from "./walk-files.ts";

/** Of files that changed just before the last snapshot: these are read again. */
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

/** A snapshot, and what there was when it was made. */
interface KnownSnapshot {
  readonly snapshot: Snapshot;
  readonly walk: Walk;
  /** Files whose content has to be compared. */
  unsettled: ReadonlySet<string>;
  readonly entries: ReadonlyMap<string, IndexEntry>;
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

  /** The last snapshot, if nothing has changed since. */
  async find(root: Root, look: Look, trackedIgnored: readonly string[]): Promise<Snapshot | undefined> {
    const known = this.#knownRoot(root.folder).last;
    if (!known || !look.isTrusted || !isSame(known.walk.states, look.walk.states)) return undefined;
    if (Math.abs(clockNow() - known.clock) > MAX_CLOCK_DRIFT_MS) return undefined;
    // Such a file may lie in a directory that is not entered.
    if (!trackedIgnored.every((path) => known.entries.has(path))) return undefined;
    if (known.index !== (await indexState(root))) return undefined;
    if (!(await isStillStored(root.git.store, known.stored))) return undefined;
    if ((await listDifferent(root.git.root, known.unsettled, known.entries)).length > 0) return undefined;
    known.unsettled = new Set([...known.unsettled].filter((path) => look.walk.unsettled.has(path)));
    return known.snapshot;
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
    const known = [...unsettled].filter((path) => entries.has(path) && walk.states.has(path));
    const moved = [...entries].filter(([path, entry]) => {
      const state = walk.states.get(path);
      return state !== undefined && !hasTimes(state, entry);
    });
    const different = await listDifferent(root.git.root, known, entries);
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
      index === "" ? new Map<string, IndexEntry>() : await readIndex(join(root.folder, "index"));
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

function isSame(before: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>): boolean {
  if (before.size !== now.size) return false;
  for (const [path, state] of now) if (before.get(path) !== state) return false;
  return true;
}

function clockNow(): number {
  return Date.now() - performance.now();
}

async function indexState({ folder }: Root): Promise<string> {
  return (await readStates([join(folder, "index")])).states[0] ?? "";
}

/** Those of the files whose content is not that of the index; all from where there is too much to read. */
async function listDifferent(
  root: string,
  paths: Iterable<string>,
  entries: ReadonlyMap<string, IndexEntry>,
): Promise<string[]> {
  const different: string[] = [];
  let bytes = 0;
  for (const path of paths) {
    // One that was too large or special may be something else by now.
    const entry = entries.get(path);
    const name = pathBytes(root, path);
    const status = lstatSync(name, { throwIfNoEntry: false });
    bytes += status?.size ?? 0;
    const isReadable = entry && status && modeOf(status) === entry.mode && bytes <= MAX_READ_BYTES;
    const content = isReadable ? await readContent(name, entry).catch(() => undefined) : undefined;
    if (!content || entry?.id !== blobId(content)) different.push(path);
  }
  return different;
}

async function readContent(name: Buffer, { mode }: IndexEntry): Promise<Buffer> {
  return mode === "120000" ? await readlink(name, { encoding: "buffer" }) : await readFile(name);
}

/** As the index has it. */
function modeOf(status: Stats): string | undefined {
  if (status.isSymbolicLink()) return "120000";
  if (!status.isFile()) return undefined;
  return (status.mode & 0o100) === 0 ? "100644" : "100755";
}

function blobId(content: Buffer): string {
  return createHash("sha1").update(`blob ${content.length}\0`).update(content).digest("hex");
}
