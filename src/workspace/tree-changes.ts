/** What differs between two trees. */
import type { FileVersion } from "../core/workspace.ts";
import { type Git, zeroSeparated } from "./git.ts";

/** Absent before or after: it was added or deleted. */
export interface TreeChange {
  /** As latin1, relative to the session's directory. */
  readonly path: string;
  readonly before: FileVersion | undefined;
  readonly after: FileVersion | undefined;
}

/** Renames are a deletion and an addition: where they are detected, deletions get lost. */
export async function changesBetween(
  git: Git,
  before: string,
  after: string,
  signal?: AbortSignal,
): Promise<TreeChange[]> {
  if (before === after) return [];
  const args = ["diff-tree", "-r", "-z", "--no-renames", "--raw", before, after];
  return readRawChanges(zeroSeparated((await git.run(args, { signal })).stdout));
}

/** @param fields Of `--raw` with `-z`: what changed and the path, in turn. It stops at whatever follows. */
export function readRawChanges(fields: readonly string[]): TreeChange[] {
  const changes: TreeChange[] = [];
  for (let at = 0; fields[at]?.startsWith(":"); at += 2) {
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

/** Whether a path is one of these, or below one of them. All, where none are given. */
export function isAmong(path: string, paths: readonly string[] | undefined): boolean {
  if (!paths) return true;
  return paths.some((each) => each === "" || path === each || path.startsWith(`${each}/`));
}
