/**
 * Where a daemon keeps checkpoints: in its data directory, and as a node those of shared roots where all nodes see them, if
 * there is such a place.
 */
import { realpathSync } from "node:fs";
import { basename, join } from "node:path";
import type { ClusterNode } from "./cluster/start-cluster-node.ts";
import type { Config } from "./config/config.ts";
import { isInside } from "./core/is-inside.ts";
import type { Workspace } from "./core/workspace.ts";
import type { DataDirectory } from "./data-directory.ts";
import { OWNER_VARIABLE, ownerMarker } from "./process/owner-marker.ts";
import { ownIdentity } from "./process/process-table.ts";
import { acquireFile } from "./workspace/directory-lock.ts";
import { openWorkspace, type WorkspaceOptions } from "./workspace/open-workspace.ts";
import { type PlacedWorkspace, routeWorkspace } from "./workspace/routed-workspace.ts";

type NodeParts = Pick<ClusterNode, "name" | "daemon" | "locks" | "openCheckpointPlace">;

export interface Workspaces {
  workspace: Workspace;
  /** The folder with the checkpoints of a directory, which is a real path. */
  workspacesOf(directory: string): string;
}

/**
 * Rejects with a sentence where other nodes mean another directory.
 *
 * @param isKnown Whether a session is there, as far as that can be found out.
 */
export async function openWorkspaces(
  config: Config,
  data: DataDirectory,
  node: NodeParts | undefined,
  isKnown: (session: string) => Promise<boolean>,
): Promise<Workspaces> {
  const own = join(data.path, "workspaces");
  const limits = checkpointLimits(config);
  if (!node) return { workspace: openWorkspace({ directory: own, limits }), workspacesOf: () => own };
  const local = openLocal(own, limits, node);
  const { checkpointDirectory } = config;
  const shared =
    checkpointDirectory === undefined ? local : await openShared(checkpointDirectory, limits, data, node);
  const roots = config.sharedRoots.map((root) => realpathSync(root));
  const isShared = (directory: string) => roots.some((root) => isInside(directory, root));
  return {
    workspace: routeWorkspace({ local, shared, isShared, isKnown }),
    workspacesOf: (directory) =>
      checkpointDirectory !== undefined && isShared(directory) ? checkpointDirectory : own,
  };
}

/** Under the lock of the machine. A node that may have lost its lease restores no files. */
function openLocal(
  directory: string,
  limits: WorkspaceOptions["limits"],
  { daemon, name, locks }: NodeParts,
): PlacedWorkspace {
  const workspace = openWorkspace({
    directory,
    limits,
    acquire: async (store, options) => ({
      ...(await acquireFile(store, options)),
      ...locks.guard(),
    }),
  });
  return { place: { id: daemon, name }, workspace };
}

/** Under locks of the nodes. What works on files of all of them is stopped like agents are. */
async function openShared(
  directory: string,
  limits: WorkspaceOptions["limits"],
  { path: data, daemonId }: DataDirectory,
  { locks, openCheckpointPlace }: NodeParts,
): Promise<PlacedWorkspace> {
  const environment = { [OWNER_VARIABLE]: ownerMarker(daemonId, ownIdentity(), 0) };
  const workspace = openWorkspace({
    directory,
    data,
    limits,
    isShared: true,
    acquire: async (store, options) => {
      const lock = await locks.take(basename(store), options);
      return lock && { ...lock, environment };
    },
  });
  return { place: { id: await openCheckpointPlace(directory), name: directory }, workspace };
}

/** Those that the config does not name keep their defaults. */
function checkpointLimits({ limits }: Config): WorkspaceOptions["limits"] {
  const { maxCheckpointAgeMs, maxCheckpoints, maxCheckpointBytes } = limits;
  return {
    ...(maxCheckpointAgeMs !== undefined && { maxAgeMs: maxCheckpointAgeMs }),
    ...(maxCheckpoints !== undefined && { maxCheckpoints }),
    ...(maxCheckpointBytes !== undefined && { maxKeptBytes: maxCheckpointBytes }),
  };
}
