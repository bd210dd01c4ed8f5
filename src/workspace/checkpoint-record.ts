/** What a checkpoint says besides its files: the message of its commit, as JSON. Paths in it are latin1. */
import { type Git, GitError } from "./git.ts";
import type { OuterRules } from "./root.ts";
import type { Uncovered } from "./snapshot.ts";
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
  if (!/^[0-9a-f]{40}$/.test(id)) throw new WorkspaceError(`${id} is not the id of a checkpoint.`);
  try {
    const { stdout } = await git.run(["cat-file", "commit", id], { signal });
    const commit = stdout.toString();
    return JSON.parse(commit.slice(commit.indexOf("\n\n") + 2)) as CheckpointRecord;
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    throw new WorkspaceError(`There is no checkpoint ${id} of this directory, or no longer.`, {
      cause: error,
    });
  }
}

/** Whether a path is one that the checkpoint could not take, or lies in a directory that it could not look into. */
export function isUncovered({ uncovered }: CheckpointRecord, path: string): boolean {
  return uncovered.some(
    (each) => each.path === path || (each.path.endsWith("/") && path.startsWith(each.path)),
  );
}
