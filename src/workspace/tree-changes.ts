/** Which files differ between two trees or checkpoints. None of them is read. */
import type { CheckpointPair, FileVersion } from "../core/workspace.ts";
import { assertCheckpointId, noSuchCheckpoint } from "./checkpoint-record.ts";
import { type Git, zeroSeparated } from "./git.ts";
import { parentsOf } from "./path-parts.ts";

/** Absent before or after: it was added or deleted. */
export interface TreeChange {
  /** As latin1, relative to the session's directory. */
  readonly path: string;
  readonly before: FileVersion | undefined;
  readonly after: FileVersion | undefined;
}

/** Renames are a deletion and an addition: where they are detected, deletions get lost. */
const RAW = ["diff-tree", "-r", "-z", "--no-renames", "--raw"];

export async function changesBetween(
  git: Git,
  before: string,
  after: string,
  signal?: AbortSignal,
): Promise<TreeChange[]> {
  if (before === after) return [];
  return readRawChanges(zeroSeparated((await git.run([...RAW, before, after], { signal })).stdout));
}

/** What differs between each two checkpoints, by one git for all of them. Rejects if one of them is not there. */
export async function changesOfPairs(
  git: Git,
  pairs: readonly CheckpointPair[],
  signal?: AbortSignal,
): Promise<TreeChange[][]> {
  if (pairs.length === 0) return [];
  for (const { from, to } of pairs) for (const id of [from, to]) assertCheckpointId(id);
  // Of a line with two commits git takes the second one for the first one's parent.
  const input = pairs.map(({ from, to }) => `${to} ${from}\n`).join("");
  const { stdout } = await git.run([...RAW, "--stdin", "--always"], { input, signal });
  const fields = zeroSeparated(stdout);
  let at = 0;
  return pairs.map(({ to }) => {
    // It passes over what it does not find.
    if (fields[at] !== to) throw noSuchCheckpoint(to);
    const changes = readRawChanges(fields, at + 1);
    at += 1 + changes.length * 2;
    return changes;
  });
}

/** @param fields Of `--raw` with `-z`: what changed and the path, in turn. It stops at whatever follows. */
export function readRawChanges(fields: readonly string[], from = 0): TreeChange[] {
  const changes: TreeChange[] = [];
  for (let at = from; fields[at]?.startsWith(":"); at += 2) {
    const [modeBefore = "", mode = "", idBefore = "", id = ""] = fields[at]!.slice(1).split(" ");
    changes.push({
      path: fields[at + 1]!,
      before: versionOf(modeBefore, idBefore),
      after: versionOf(mode, id),
    });
  }
  return changes;
}

function versionOf(mode: string, id: string): FileVersion | undefined {
  return mode === "000000" ? undefined : { mode, id };
}

export function isSameVersion(a: FileVersion | undefined, b: FileVersion | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && a.mode === b.mode && a.id === b.id);
}

/** Tells whether a path is one of these, or below one of them. All are, where none are given. */
export function pathFilter(paths: readonly string[] | undefined): (path: string) => boolean {
  if (!paths || paths.includes("")) return () => true;
  const wanted = new Set(paths);
  return (path) => wanted.has(path) || parentsOf(path).some((parent) => wanted.has(parent));
}
