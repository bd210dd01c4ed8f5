/** Makes a checkpoint of a directory with all repositories inside it: one tree, one commit, one ref. */
import { randomBytes } from "node:crypto";
import { copyFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { type CheckpointRecord, encodeRecord } from "./checkpoint-record.ts";
import type { Git } from "./git.ts";
import { flushObjects } from "./loose-object.ts";
import { createRef, updateRef, writeCommit } from "./publish-checkpoint.ts";
import { countEntries } from "./read-index.ts";
import { openRoot, type Root, type RootRequest } from "./root.ts";
import { RuleFiles } from "./rule-files.ts";
import { EMPTY_TREE, type Snapshot, type SnapshotOptions, takeSnapshot } from "./snapshot.ts";
import { CHECKPOINT_REFS, rootRef, sessionRefs } from "./store.ts";
import type { Uncovered } from "./update-index.ts";
import { WorkspaceError } from "./workspace-error.ts";

export interface CaptureRequest extends Omit<RootRequest, "ruleFiles"> {
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
  /** See `Checkpoint.notices`. */
  readonly notices: readonly string[];
}

interface RootSnapshot {
  readonly root: Root;
  readonly snapshot: Snapshot;
}

/** Must run under the lock of the directory. */
export async function capture(request: CaptureRequest, options: SnapshotOptions): Promise<Captured> {
  const { session, number, at } = request;
  const { signal } = options;
  const rootRequest = { ...request, ruleFiles: new RuleFiles() };
  const main = await openRoot(rootRequest, "", signal);
  const snapshots = [{ root: main, snapshot: await takeSnapshot(main, options) }];
  /** Repositories inside whose rules are not all known: what they ignore must not become part of the checkpoint. */
  const leftOut: Uncovered[] = [];
  for (const { root, snapshot } of snapshots) {
    for (const path of snapshot.repositories) {
      if (snapshots.length + leftOut.length > options.limits.maxRepositoriesInside)
        throw new WorkspaceError(
          `There are more than ${options.limits.maxRepositoriesInside} repositories inside.`,
        );
      const inner = await openRoot(rootRequest, root.path + path, signal);
      if (inner.hasAllRules) snapshots.push({ root: inner, snapshot: await takeSnapshot(inner, options) });
      else leftOut.push({ path: inner.path, reason: "unreadable" });
    }
  }
  const { git } = main;
  const tree = await joinTrees(snapshots, signal);
  const uncovered = snapshots.flatMap(({ root, snapshot }) =>
    snapshot.uncovered.map(({ path, reason }) => ({ path: root.path + path, reason })),
  );
  uncovered.push(...leftOut);
  const record = { session, number, at, uncovered, rules: snapshots.map(({ root }) => root.rules) };
  const publication = { store: git.store, isDurable: request.isDurable === true };
  signal?.throwIfAborted();
  // What an index refers to has to stay: for each root its last tree.
  for (const { root, snapshot } of snapshots) await updateRef(publication, rootRef(root.path), snapshot.tree);
  const id = await writeCommit(git.store, { tree, message: encodeRecord(record), at });
  if (publication.isDurable) await flushObjects(git.store);
  await createRef(publication, `${sessionRefs(CHECKPOINT_REFS, session)}/${number}`, id);
  return { id, tree, git, record, notices: rootRequest.ruleFiles.notices };
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
