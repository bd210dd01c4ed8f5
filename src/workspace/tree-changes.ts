/** What differs between two pictures. */
import { BYTES, type Git, zeroSeparated } from "./git.ts";

/** A file or link of a picture. */
export interface Entry {
  /** 100644, 100755 or 120000. */
  readonly mode: string;
  /** Of its content. */
  readonly id: string;
}

/** Absent before or after: it was added or deleted. */
export interface TreeChange {
  /** As latin1, relative to the root. */
  readonly path: string;
  readonly before: Entry | undefined;
  readonly after: Entry | undefined;
}

/** Renames are a deletion and an addition: where they are detected, deletions get lost. */
export async function changesBetween(git: Git, before: string, after: string): Promise<TreeChange[]> {
  if (before === after) return [];
  const { stdout } = await git.run(["diff-tree", "-r", "-z", "--no-renames", "--raw", before, after]);
  const fields = zeroSeparated(stdout);
  const changes: TreeChange[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [modeBefore = "", mode = "", idBefore = "", id = ""] = fields[at]!.slice(1).split(" ");
    changes.push({ path: fields[at + 1]!, before: entryOf(modeBefore, idBefore), after: entryOf(mode, id) });
  }
  return changes;
}

function entryOf(mode: string, id: string): Entry | undefined {
  return mode === "000000" ? undefined : { mode, id };
}

export function isSameEntry(a: Entry | undefined, b: Entry | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && a.mode === b.mode && a.id === b.id);
}

/** The unified diff of one path. */
export async function diffOf(git: Git, before: string, after: string, path: string): Promise<string> {
  const options = [
    "-r",
    "-p",
    "--no-renames",
    "--no-ext-diff",
    "--no-textconv",
    "--no-color",
    "--full-index",
  ];
  const { stdout } = await git.run(["diff-tree", ...options, before, after, "--", path]);
  return Buffer.from(stdout, BYTES).toString();
}
