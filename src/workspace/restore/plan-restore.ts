/** Tells what a restore would do. It reads checkpoints and looks at the directory, and writes nothing into it. */
import type { Stats } from "node:fs";
import { lstat, readdir, statfs } from "node:fs/promises";
import { trimEndOf } from "../../core/trim-end-of.ts";
import type { PlannedChange, RestorePlan, RestoreRequest, TurnSpan } from "../../core/workspace.ts";
import type { Captured } from "../capture.ts";
import { readRecord, readRecords } from "../checkpoint-record.ts";
import { BYTES, type Git, NO_OBJECT } from "../git.ts";
import { selectEntries } from "../in-slices.ts";
import { pathBytes } from "../inspect-file.ts";
import { ObjectReader } from "../object-reader.ts";
import { parentsOf } from "../path-parts.ts";
import { pathOfText, textOfPath } from "../path-text.ts";
import { MERGED_REFS, sessionRefs } from "../store.ts";
import {
  changesBetween,
  changesOfPairs,
  isSameVersion,
  pathFilter,
  type TreeChange,
} from "../tree-changes.ts";
import { WorkspaceError } from "../workspace-error.ts";
import { type JudgedChange, judgeChanges } from "./judge-changes.ts";
import { mergeFile } from "./merge-file.ts";
import { findIgnoredBefore, findOlder, findUncovered, type RecordedSpan } from "./unseen-files.ts";

/** One change with its path as latin1. */
type Change = Pick<JudgedChange, "path"> & {
  readonly from: PlannedChange["from"];
  readonly to: PlannedChange["to"];
};

/**
 * Must run under the lock of the directory.
 *
 * @param directory As a real path.
 * @param now A checkpoint that was just made.
 */
export async function planRestore(
  directory: string,
  now: Captured,
  request: RestoreRequest,
  signal?: AbortSignal,
): Promise<RestorePlan> {
  const { git } = now;
  const target = { id: request.target, record: await readRecord(git, request.target, signal) };
  const differences = await changesBetween(git, `${target.id}^{tree}`, now.tree, signal);
  const paths = request.paths?.map((path) => pathOfText(trimEndOf(path, /\//)));
  const spans = await readSpans(git, request, signal);
  const isAmong = pathFilter(paths);
  const judged = judgeChanges(spans, differences).filter(({ path }) => isAmong(path));
  const names = new Set(judged.map(({ path }) => path));
  const ignored = await findIgnoredBefore(git, target, spans, names, signal);
  const uncovered = findUncovered([{ changes: differences, before: target, after: now }, ...spans]);
  const older = await findOlder(directory, spans, names);

  const changes: Change[] = [];
  const conflicts: string[] = [];
  for (const each of judged) {
    const { path, then, now: present, isShared } = each;
    const isConflict = each.isConflict || older.has(path);
    if (ignored.has(path)) continue;
    if (uncovered.has(path) || !isFile(each)) conflicts.push(path);
    else if (!isConflict || request.onConflict === "overwrite")
      changes.push({ path, from: present, to: then });
    else {
      const canMerge = request.onConflict === "merge" && !isShared;
      const merged = canMerge ? await mergeFile(git, each, signal) : undefined;
      if (!merged) conflicts.push(path);
      else if (!isSameVersion(merged, present)) changes.push({ path, from: present, to: merged });
    }
  }
  const blocked = await findBlocked(directory, now, changes, signal);
  const possible = changes.filter(({ path }) => !blocked.has(path));
  await assertPossible(git, directory, possible, signal);
  await keepMerged(now, request, possible, signal);
  return {
    checkpoint: now.id,
    changes: possible.map(({ path, from, to }) => ({
      path: textOfPath(path),
      ...(from && { from }),
      ...(to && { to }),
    })),
    conflicts: [...conflicts, ...blocked].map(textOfPath).sort(),
  };
}

/**
 * Rejects if a content is missing or damaged, or there is no room to write all of them beside what is there. Carrying the
 * plan out finds that too, but then the log has it already.
 */
async function assertPossible(
  git: Git,
  directory: string,
  changes: readonly Change[],
  signal?: AbortSignal,
): Promise<void> {
  const reader = new ObjectReader(git);
  const sizes = await reader.sizes(objectIdsOf(changes), signal);
  const ids = changes.map(({ to }) => to?.id).filter((id) => id !== undefined);
  for await (const _read of reader.contents([...new Set(ids)], sizes, signal));
  const bytes = ids.reduce((sum, id) => sum + sizes.get(id)!, 0);
  const { blocks, bavail, bsize } = await statfs(directory);
  // Some file systems do not know how large they are.
  if (blocks > 0 && bavail * bsize < bytes)
    throw new WorkspaceError(
      `There is no room for the ${bytes} bytes that would be written into ${directory}. Nothing was changed.`,
    );
}

/** Nothing of ours makes a tree with anything else. */
function isFile({ then, now }: JudgedChange): boolean {
  return [then, now].every((version) => !version || /^(100|120)/.test(version.mode));
}

export function objectIdsOf(changes: readonly Partial<Change>[]): string[] {
  const ids = changes.flatMap(({ from, to }) => [from?.id, to?.id]).filter((id) => id !== undefined);
  return [...new Set(ids)];
}

async function readSpans(git: Git, { turns }: RestoreRequest, signal?: AbortSignal): Promise<RecordedSpan[]> {
  const own = turns.filter((turn): turn is TurnSpan => !("changes" in turn));
  const pairs = own.map(({ before, after }) => ({ from: before, to: after }));
  const records = await readRecords(git, [...new Set(pairs.flatMap(({ from, to }) => [from, to]))], signal);
  const changes = await changesOfPairs(git, pairs, signal);
  const changesOf = new Map(own.map((turn, at) => [turn, changes[at]!]));
  const recorded = (id: string) => ({ id, record: records.get(id)! });
  return turns.map((turn) => {
    if ("changes" in turn)
      return { changes: turn.changes.map(toTreeChange), foreign: new Set(), mixed: new Set() };
    return {
      before: recorded(turn.before),
      after: recorded(turn.after),
      changes: changesOf.get(turn)!,
      foreign: new Set(turn.foreign?.map(pathOfText)),
      mixed: new Set(turn.mixed?.map(pathOfText)),
    };
  });
}

function toTreeChange({ path, from, to }: PlannedChange): TreeChange {
  return { path: pathOfText(path), before: from, after: to };
}

/** Files that cannot be written because something that stays is in their place, or in that of a directory above. */
async function findBlocked(
  directory: string,
  now: Captured,
  changes: readonly Change[],
  signal?: AbortSignal,
): Promise<Set<string>> {
  const blocked = new Set<string>();
  const written = changes.filter(({ from, to }) => !from && to);
  if (written.length === 0) return blocked;
  const deleted = new Set(changes.filter(({ to }) => !to).map(({ path }) => path));
  const { stdout } = await now.git.run(["ls-tree", "-r", "-z", "--name-only", now.tree], { signal });
  const parents = new Set(written.flatMap(({ path }) => parentsOf(path)));
  const staying = new Set(await selectEntries(stdout, (path) => parents.has(path) && !deleted.has(path)));
  for (const { path } of written) {
    const isBelowFile = parentsOf(path).some((parent) => staying.has(parent));
    if (isBelowFile || (await isTaken(directory, path, deleted))) blocked.add(path);
  }
  return blocked;
}

/** Whether there is something that the checkpoint of now does not have, such as an ignored file. */
async function isTaken(directory: string, path: string, deleted: ReadonlySet<string>): Promise<boolean> {
  // Beyond a link that goes there is nothing.
  if (parentsOf(path).some((parent) => deleted.has(parent))) return false;
  try {
    const name = pathBytes(directory, path);
    const stats = await lstat(name);
    if (!stats.isDirectory()) return !(await isOtherName(directory, path, stats, deleted));
    for (const entry of await readdir(name, { encoding: "buffer", withFileTypes: true })) {
      const inner = `${path}/${entry.name.toString(BYTES)}`;
      if (entry.isDirectory() ? await isTaken(directory, inner, deleted) : !deleted.has(inner)) return true;
    }
    return false;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code !== "ENOENT" && code !== "ENOTDIR";
  }
}

/** Whether it is a file that goes, under a name that the file system takes for the same. */
async function isOtherName(
  directory: string,
  path: string,
  { dev, ino }: Stats,
  deleted: ReadonlySet<string>,
): Promise<boolean> {
  const folded = foldName(path);
  for (const name of deleted) {
    if (foldName(name) !== folded) continue;
    const stats = await lstat(pathBytes(directory, name)).catch(() => undefined);
    if (stats?.ino === ino && stats.dev === dev) return true;
  }
  return false;
}

function foldName(path: string): string {
  return textOfPath(path).normalize("NFC").toLowerCase();
}

/** What was merged is in no checkpoint. A ref keeps it until the one that undoes the restore goes. */
async function keepMerged(
  { git, record }: Captured,
  { session, onConflict }: RestoreRequest,
  changes: readonly Change[],
  signal?: AbortSignal,
): Promise<void> {
  if (onConflict !== "merge") return;
  const ids = [...new Set(changes.map(({ to }) => to?.id).filter((id) => id !== undefined))];
  const input = ids.map((id) => `100644 blob ${id}\t${id}\n`).join("");
  const tree = await git.line(["mktree"], { input, signal });
  const ref = `${sessionRefs(MERGED_REFS, session)}/${record.number}`;
  await git.run(["update-ref", "--no-deref", ref, tree, NO_OBJECT], { signal });
}
