/**
 * Files that a turn seems to have made, and that may have been there before it: no checkpoint had them, because a rule
 * ignored them or they could not be taken. They look new when that changes, and are not the agent's to lose.
 */
import { lstat } from "node:fs/promises";
import { type CheckpointRecord, isUncovered } from "../checkpoint-record.ts";
import type { Git } from "../git.ts";
import { findIgnored } from "../ignored-files.ts";
import { pathBytes } from "../inspect-file.ts";
import type { TreeChange } from "../tree-changes.ts";
import type { SessionSpan } from "./judge-changes.ts";

export interface RecordedCheckpoint {
  readonly id: string;
  readonly record: CheckpointRecord;
}

/** Work of the session; without checkpoints if it was a restore, which knows what it did. */
export interface RecordedSpan extends SessionSpan {
  readonly before?: RecordedCheckpoint;
  readonly after?: RecordedCheckpoint;
}

/** How much the clock of a file system may be behind ours. */
const MAX_CLOCK_DIFFERENCE_MS = 2000;

/**
 * Those of the paths that a turn made appear although a rule ignored them, when the turn began or in the checkpoint to go
 * back to.
 */
export async function findIgnoredBefore(
  git: Git,
  target: RecordedCheckpoint,
  spans: readonly RecordedSpan[],
  paths: ReadonlySet<string>,
  signal?: AbortSignal,
): Promise<Set<string>> {
  /** Most turns have the same rules. */
  const byRules = new Map<string, { readonly checkpoint: RecordedCheckpoint; readonly paths: Set<string> }>();
  const add = async (checkpoint: RecordedCheckpoint, appeared: readonly string[]) => {
    const rules = await compareRules(git, target.id, checkpoint.id, signal);
    const key = JSON.stringify([checkpoint.record.rules, rules]);
    const group = byRules.get(key) ?? { checkpoint, paths: new Set() };
    byRules.set(key, group);
    for (const path of appeared) group.paths.add(path);
  };
  for (const { before, changes } of spans) {
    const appeared = changes
      .filter((change) => !change.before && paths.has(change.path))
      .map(({ path }) => path);
    if (!before || appeared.length === 0) continue;
    await add(target, appeared);
    await add(before, appeared);
  }
  const ignored = new Set<string>();
  for (const { checkpoint, paths: own } of byRules.values())
    for (const path of await findIgnored(git, checkpoint.id, checkpoint.record, [...own], signal))
      ignored.add(path);
  return ignored;
}

/** Those that a turn found or left in a state that no checkpoint has. */
export function findUncovered(
  spans: readonly Pick<RecordedSpan, "changes" | "before" | "after">[],
): Set<string> {
  const isHidden = (checkpoint: RecordedCheckpoint | undefined, path: string) =>
    checkpoint !== undefined && isUncovered(checkpoint.record, path);
  return new Set(
    spans.flatMap(({ before, after, changes }) =>
      changes
        .filter(
          (change) =>
            (!change.before && isHidden(before, change.path)) ||
            (!change.after && isHidden(after, change.path)),
        )
        .map(({ path }) => path),
    ),
  );
}

/**
 * Those of the paths whose file is older than the turn that seems to have made it, and that no file of a checkpoint can
 * have become: what was moved keeps its age.
 */
export async function findOlder(
  directory: string,
  spans: readonly RecordedSpan[],
  paths: ReadonlySet<string>,
): Promise<Set<string>> {
  const older = new Set<string>();
  for (const { before, changes } of spans) {
    if (!before) continue;
    const { unexplained, spare } = matchMoves(changes);
    const old: string[] = [];
    for (const path of unexplained.filter((each) => paths.has(each)))
      if (await isOlder(directory, path, before.record.at)) old.push(path);
    if (old.length > spare) for (const path of old) older.add(path);
  }
  return older;
}

/** Files that appeared with a content that none of those had that went; and how many of these are left over. */
function matchMoves(changes: readonly TreeChange[]): { unexplained: string[]; spare: number } {
  const gone = new Map<string, number>();
  let spare = 0;
  for (const { before, after } of changes) {
    if (!before || after) continue;
    gone.set(before.id, (gone.get(before.id) ?? 0) + 1);
    spare += 1;
  }
  const unexplained: string[] = [];
  for (const { path, before, after } of changes) {
    if (before || !after) continue;
    const left = gone.get(after.id) ?? 0;
    if (left === 0) unexplained.push(path);
    else {
      gone.set(after.id, left - 1);
      spare -= 1;
    }
  }
  return { unexplained, spare };
}

async function isOlder(directory: string, path: string, at: number): Promise<boolean> {
  const stats = await lstat(pathBytes(directory, path)).catch(() => undefined);
  // Zero where the file system does not know it.
  return stats !== undefined && stats.birthtimeMs > 0 && stats.birthtimeMs < at - MAX_CLOCK_DIFFERENCE_MS;
}

/** What differs between the rule files of two checkpoints. */
async function compareRules(git: Git, one: string, other: string, signal?: AbortSignal): Promise<string> {
  if (one === other) return "";
  const args = ["diff-tree", "-r", "-z", "--no-renames", "--raw", `${one}^{tree}`, `${other}^{tree}`];
  const { stdout } = await git.run([...args, "--", ":(glob)**/.gitignore"], {
    environment: { GIT_LITERAL_PATHSPECS: "0" },
    signal,
  });
  return stdout.toString("latin1");
}
