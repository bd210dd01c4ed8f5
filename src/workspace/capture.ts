/** Makes a checkpoint of a directory with all repositories inside it: one tree, one commit, one ref. */
import { randomBytes } from "node:crypto";
import { copyFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { type CheckpointRecord, encodeRecord } from "./checkpoint-record.ts";
import { type Git, NO_OBJECT } from "./git.ts";
import { openRoot, type Root, type RootRequest } from "./root.ts";
import { countEntries, EMPTY_TREE, type Snapshot, type SnapshotOptions, takeSnapshot } from "./snapshot.ts";
import { CHECKPOINT_REFS, rootRef, sessionRefs } from "./store.ts";
import { WorkspaceError } from "./workspace-error.ts";

export interface CaptureRequest extends RootRequest {
  readonly session: string;
  /** Of the session's checkpoints here; no other has it. */
  readonly number: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

export interface Captured {
  readonly id: string;
  readonly tree: string;
  readonly git: Git;
  readonly record: CheckpointRecord;
}

interface RootSnapshot {
  readonly root: Root;
  readonly snapshot: Snapshot;
}

/** Must run under the lock of the directory. */
export async function capture(request: CaptureRequest, options: SnapshotOptions): Promise<Captured> {
  const { session, number, at } = request;
  const { signal } = options;
  const main = await openRoot(request, "", signal);
  const snapshots = [{ root: main, snapshot: await takeSnapshot(main, options) }];
  for (const { root, snapshot } of snapshots) {
    for (const path of snapshot.repositories) {
      if (snapshots.length > options.limits.maxRepositoriesInside)
        throw new WorkspaceError(
          `There are more than ${options.limits.maxRepositoriesInside} repositories inside.`,
        );
      const inner = await openRoot(request, root.path + path, signal);
      snapshots.push({ root: inner, snapshot: await takeSnapshot(inner, options) });
    }
  }
  const { git } = main;
  const tree = await joinTrees(snapshots, signal);
  const uncovered = snapshots.flatMap(({ root, snapshot }) =>
    snapshot.uncovered.map(({ path, reason }) => ({ path: root.path + path, reason })),
  );
  const record = { session, number, at, uncovered, rules: snapshots.map(({ root }) => root.rules) };
  const id = await commit(git, tree, record, at, signal);
  await publish(git, id, `${sessionRefs(CHECKPOINT_REFS, session)}/${number}`, snapshots, signal);
  return { id, tree, git, record };
}

/** The trees of the repositories inside become directories of the outermost. */
async function joinTrees(snapshots: readonly RootSnapshot[], signal?: AbortSignal): Promise<string> {
  const [main, ...inner] = snapshots as [RootSnapshot, ...RootSnapshot[]];
  if (inner.length === 0) return main.snapshot.tree;
  const { git, folder, prefix } = main.root;
  const index = join(folder, `joined.${randomBytes(6).toString("hex")}.scratch`);
  try {
    // With the main index git knows which trees it has already.
    await copyFile(join(folder, "index"), index).catch(() => {});
    for (const { root, snapshot } of inner) {
      if (snapshot.tree === EMPTY_TREE) continue;
      const target = Buffer.from(prefix + root.path, "latin1").toString();
      await git.run(["read-tree", `--prefix=${target}`, snapshot.tree], { index, signal });
    }
    const part = prefix === "" ? [] : [`--prefix=${Buffer.from(prefix, "latin1")}`];
    if ((await countEntries(index)) === 0) return main.snapshot.tree;
    return await git.line(["write-tree", ...part], { index, signal });
  } finally {
    await rm(index, { force: true });
    await rm(`${index}.lock`, { force: true });
  }
}

async function commit(
  git: Git,
  tree: string,
  record: CheckpointRecord,
  at: number,
  signal?: AbortSignal,
): Promise<string> {
  const date = `${Math.floor(at / 1000)} +0000`;
  const environment = {
    GIT_AUTHOR_NAME: "checkpoint",
    GIT_AUTHOR_EMAIL: "checkpoint@localhost",
    GIT_AUTHOR_DATE: date,
    GIT_COMMITTER_NAME: "checkpoint",
    GIT_COMMITTER_EMAIL: "checkpoint@localhost",
    GIT_COMMITTER_DATE: date,
  };
  const input = encodeRecord(record);
  return await git.line(["commit-tree", "--no-gpg-sign", tree], { input, environment, signal });
}

/** In one transaction: the checkpoint, and for each root its last tree, which its index needs. */
async function publish(
  git: Git,
  id: string,
  ref: string,
  snapshots: readonly RootSnapshot[],
  signal?: AbortSignal,
): Promise<void> {
  const roots = snapshots.map(({ root, snapshot }) => `update ${rootRef(root.path)}\0${snapshot.tree}\0\0`);
  const input = [`update ${ref}\0${id}\0${NO_OBJECT}\0`, ...roots].join("");
  await git.run(["update-ref", "--no-deref", "-z", "--stdin"], { input, signal });
}
