/** Tells what a restore would do. It reads checkpoints and looks at the directory, and writes nothing into it. */
import { lstat, readdir } from "node:fs/promises";
import type { PlannedChange, RestorePlan, RestoreRequest } from "../core/workspace.ts";
import type { Captured } from "./capture.ts";
import { isUncovered, readRecord } from "./checkpoint-record.ts";
import { BYTES, type Git, NO_OBJECT, zeroSeparated } from "./git.ts";
import { findIgnored } from "./ignored-files.ts";
import { pathBytes } from "./inspect-file.ts";
import { type JudgedChange, judgeChanges, type SessionSpan } from "./judge-changes.ts";
import { mergeFile } from "./merge-file.ts";
import { ObjectReader } from "./object-reader.ts";
import { pathOfText, textOfPath } from "./path-text.ts";
import { MERGED_REFS, sessionRefs } from "./store.ts";
import { changesBetween, isAmong, isSameVersion } from "./tree-changes.ts";

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
  const target = await readRecord(git, request.target, signal);
  const differences = await changesBetween(git, `${request.target}^{tree}`, now.tree, signal);
  const paths = request.paths?.map((path) => pathOfText(path.replace(/\/+$/, "")));
  const judged = judgeChanges(await readSpans(git, request, signal), differences).filter(({ path }) =>
    isAmong(path, paths),
  );
  const added = judged.filter(({ then }) => !then).map(({ path }) => path);
  const rulesChanged =
    JSON.stringify(target.rules) !== JSON.stringify(now.record.rules) ||
    differences.some(({ path }) => /(^|\/)\.gitignore$/.test(path));
  const ignored = rulesChanged
    ? await findIgnored(git, request.target, target, added, signal)
    : new Set<string>();

  const changes: Change[] = [];
  const conflicts: string[] = [];
  for (const each of judged) {
    const { path, then, now: present, isConflict } = each;
    if (ignored.has(path)) continue;
    const isUnknown =
      (!then && isUncovered(target, path)) || (!present && isUncovered(now.record, path)) || !isFile(each);
    if (isUnknown) conflicts.push(path);
    else if (!isConflict || request.onConflict === "overwrite")
      changes.push({ path, from: present, to: then });
    else {
      const merged = request.onConflict === "merge" ? await mergeFile(git, each, signal) : undefined;
      if (!merged) conflicts.push(path);
      else if (!isSameVersion(merged, present)) changes.push({ path, from: present, to: merged });
    }
  }
  const blocked = await findBlocked(directory, now, changes, signal);
  const possible = changes.filter(({ path }) => !blocked.has(path));
  await new ObjectReader(git).sizes(idsOf(possible), signal);
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

/** Nothing of ours makes a tree with anything else. */
function isFile({ then, now }: JudgedChange): boolean {
  return [then, now].every((version) => !version || /^(100|120)/.test(version.mode));
}

function idsOf(changes: readonly Change[]): string[] {
  const ids = changes.flatMap(({ from, to }) => [from?.id, to?.id]).filter((id) => id !== undefined);
  return [...new Set(ids)];
}

async function readSpans(git: Git, { turns }: RestoreRequest, signal?: AbortSignal): Promise<SessionSpan[]> {
  const spans: SessionSpan[] = [];
  for (const turn of turns) {
    if ("changes" in turn) {
      const changes = turn.changes.map(({ path, from, to }) => ({
        path: pathOfText(path),
        before: from,
        after: to,
      }));
      spans.push({ changes, foreign: new Set(), mixed: new Set() });
      continue;
    }
    await readRecord(git, turn.before, signal);
    await readRecord(git, turn.after, signal);
    spans.push({
      changes: await changesBetween(git, `${turn.before}^{tree}`, `${turn.after}^{tree}`, signal),
      foreign: new Set(turn.foreign?.map(pathOfText)),
      mixed: new Set(turn.mixed?.map(pathOfText)),
    });
  }
  return spans;
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
  const staying = new Set(zeroSeparated(stdout).filter((path) => !deleted.has(path)));
  for (const { path } of written) {
    const isBelowFile = parentsOf(path).some((parent) => staying.has(parent));
    if (isBelowFile || (await isTaken(directory, path, deleted))) blocked.add(path);
  }
  return blocked;
}

function parentsOf(path: string): string[] {
  const parts = path.split("/");
  return parts.slice(1).map((_, at) => parts.slice(0, at + 1).join("/"));
}

/** Whether there is something that the checkpoint of now does not have, such as an ignored file. */
async function isTaken(directory: string, path: string, deleted: ReadonlySet<string>): Promise<boolean> {
  // Beyond a link that goes there is nothing.
  if (parentsOf(path).some((parent) => deleted.has(parent))) return false;
  try {
    const name = pathBytes(directory, path);
    if (!(await lstat(name)).isDirectory()) return true;
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
