/** What a checkpoint says besides its files: the message of its commit, as JSON. Paths in it are latin1. */
import { type Git, GitError } from "./git.ts";
import type { OuterRules } from "./root.ts";
import type { Uncovered } from "./update-index.ts";
import { WorkspaceError } from "./workspace-error.ts";

export interface CheckpointRecord {
  readonly session: string;
  /** Makes its id differ from that of another one with the same files. */
  readonly number: number;
  /** When it was begun, in milliseconds since the epoch. */
  readonly at: number;
  readonly uncovered: readonly Uncovered[];
  /** In force when it was made, one for each root. */
  readonly rules: readonly OuterRules[];
}

export function encodeRecord(record: CheckpointRecord): Buffer {
  return Buffer.from(`${JSON.stringify(record)}\n`);
}

/** Rejects with a `WorkspaceError` if there is no such checkpoint. */
export async function readRecord(git: Git, id: string, signal?: AbortSignal): Promise<CheckpointRecord> {
  assertCheckpointId(id);
  try {
    const { stdout } = await git.run(["cat-file", "commit", id], { signal });
    return decodeRecord(stdout);
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    throw noSuchCheckpoint(id, error);
  }
}

export async function readRecords(
  git: Git,
  ids: readonly string[],
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, CheckpointRecord>> {
  const records = new Map<string, CheckpointRecord>();
  if (ids.length === 0) return records;
  for (const id of ids) assertCheckpointId(id);
  const input = ids.map((id) => `${id}\n`).join("");
  const { stdout } = await git.run(["cat-file", "--batch"], { input, signal });
  let at = 0;
  for (const id of ids) {
    const end = stdout.indexOf(10, at);
    const [, type, size] = stdout.toString("latin1", at, end).split(" ");
    if (type !== "commit") throw noSuchCheckpoint(id);
    at = end + 1 + Number(size);
    records.set(id, decodeRecord(stdout.subarray(end + 1, at)));
    at += 1;
  }
  return records;
}

function decodeRecord(commit: Buffer): CheckpointRecord {
  return JSON.parse(commit.toString("utf8", commit.indexOf("\n\n") + 2)) as CheckpointRecord;
}

/** It becomes a word of git's command line or input. */
export function assertCheckpointId(id: string): void {
  if (!/^[0-9a-f]{40}$/.test(id)) throw new WorkspaceError(`${id} is not the id of a checkpoint.`);
}

export function noSuchCheckpoint(id: string, cause?: Error): WorkspaceError {
  return new WorkspaceError(`There is no checkpoint ${id} of this directory, or no longer.`, { cause });
}

/** Whether a path is one that the checkpoint could not take, or lies in a directory that it could not look into. */
export function isUncovered({ uncovered }: CheckpointRecord, path: string): boolean {
  return uncovered.some(
    (each) => each.path === path || (each.path.endsWith("/") && path.startsWith(each.path)),
  );
}
