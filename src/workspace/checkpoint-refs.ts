/** The checkpoints that a repository of ours has. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Git } from "./git.ts";
import { CHECKPOINT_REFS, KEPT_REFS, MERGED_REFS, sessionRefs } from "./store.ts";

export interface CheckpointRef {
  readonly ref: string;
  readonly id: string;
  /** What all checkpoints of its session have in common. */
  readonly session: string;
  readonly number: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Of one session, or of all; each session's in the order they were made. */
export async function listCheckpoints(git: Git, session?: string): Promise<CheckpointRef[]> {
  const pattern = session === undefined ? CHECKPOINT_REFS : sessionRefs(CHECKPOINT_REFS, session);
  const format = "--format=%(refname) %(objectname) %(committerdate:unix)";
  const { stdout } = await git.run(["for-each-ref", format, `${pattern}/`]);
  const lines = stdout.toString().split("\n").slice(0, -1);
  const refs = lines.map((line) => {
    const [ref = "", id = "", seconds] = line.split(" ");
    const slash = ref.lastIndexOf("/");
    return {
      ref,
      id,
      session: ref.slice(CHECKPOINT_REFS.length + 1, slash),
      number: Number(ref.slice(slash + 1)),
      at: Number(seconds) * 1000,
    };
  });
  return refs.sort((a, b) => a.number - b.number);
}

/** With what was merged for the restores that they undo. */
export async function deleteCheckpoints(git: Git, refs: readonly CheckpointRef[]): Promise<void> {
  if (refs.length === 0) return;
  const names = refs.flatMap(({ ref }) => [ref, ref.replace(CHECKPOINT_REFS, MERGED_REFS)]);
  const input = names.map((name) => `delete ${name}\0\0`).join("");
  await git.run(["update-ref", "--no-deref", "-z", "--stdin"], { input });
}

export async function discardCheckpoint(git: Git, session: string, checkpoint: string): Promise<void> {
  const own = await listCheckpoints(git, session);
  await deleteCheckpoints(
    git,
    own.filter(({ id }) => id === checkpoint),
  );
}

/** Whether a repository may have checkpoints of a session; without starting git. */
export async function mayHaveCheckpoints(store: string, session: string): Promise<boolean> {
  const prefix = sessionRefs(CHECKPOINT_REFS, session);
  if (existsSync(join(store, prefix))) return true;
  const packed = await readFile(join(store, "packed-refs"), "utf8").catch(() => "");
  return packed.includes(` ${prefix}/`);
}

/** The one that stays however old it is, in place of the last such one of the session. */
export async function keepCheckpoint(git: Git, session: string, id: string): Promise<void> {
  await git.run(["update-ref", "--no-deref", sessionRefs(KEPT_REFS, session), id]);
}

export async function releaseKept(git: Git, session: string): Promise<void> {
  await git.run(["update-ref", "--no-deref", "-d", sessionRefs(KEPT_REFS, session)]);
}

/** Ids of those to keep, of all sessions. */
export async function listKept(git: Git): Promise<ReadonlySet<string>> {
  const { stdout } = await git.run(["for-each-ref", "--format=%(objectname)", `${KEPT_REFS}/`]);
  return new Set(stdout.toString().split("\n").slice(0, -1));
}
