/** What the composition root does where this daemon is one of several. Nothing of the cluster is loaded where it is not. */
import { realpathSync } from "node:fs";
import { hostname } from "node:os";
import type { NodeProfile, NodeRoot } from "./cluster/node-profile.ts";
import type { Cluster, ClusterOptions } from "./cluster/start-cluster.ts";
import type { ClusterNode } from "./cluster/start-cluster-node.ts";
import type { Config } from "./config/config.ts";
import { readPlainDaemonId } from "./config/daemon-id.ts";
import { nodeAddress } from "./config/node-address.ts";
import { nodeNumberFile } from "./config/node-number-file.ts";
import type { GitFiles } from "./core/git-files.ts";
import { isInside } from "./core/is-inside.ts";
import type { DataDirectory } from "./data-directory.ts";
import type { LocalEngine } from "./engine/local-engine.ts";
import { settledWithin } from "./engine/settled-within.ts";
import { directoryIdentity } from "./files/directory-identity.ts";
import type { ProcessHost } from "./process/process-host.ts";
import { openGitFiles } from "./workspace/travel/open-git-files.ts";

const MIN_COMMAND_BYTES = 128 * 1024 * 1024;

/** What cannot be written, because the database is away, holds nobody up for ever. */
export const DRAIN_MARGIN_MS = 30_000;

/** Undefined for a daemon that has its store alone. */
export async function joinCluster(
  config: Config,
  parts: Pick<ClusterOptions, "logger" | "times" | "load" | "clientTokens"> & {
    data: DataDirectory;
    processHost: ProcessHost;
    profile: NodeProfile;
  },
): Promise<Cluster | undefined> {
  const { store, clusterSecret: secret, nodeName: name = hostname() } = config;
  if (store === undefined || secret === undefined) return undefined;
  const { data, processHost: processes, ...rest } = parts;
  const { startCluster } = await import("./cluster/start-cluster.ts");
  // A container has other processes each time, so the id that is bound to them would be another one.
  const daemon = readPlainDaemonId(data.path) ?? data.daemonId;
  const number = nodeNumberFile(data.path);
  const about = {
    name,
    daemon,
    data: data.path,
    number,
    address: { ...nodeAddress(config), maxBodyBytes: maxCommandBytes(config) },
  };
  return startCluster({ ...rest, ...about, store, secret, processes });
}

/** A prompt of a client on its way to another node: escaped, it may be larger. */
function maxCommandBytes({ limits }: Config): number {
  return Math.max(MIN_COMMAND_BYTES, 4 * (limits.maxBodyBytes ?? 0));
}

/**
 * Resolves when the node may end: its turns have, or were given enough time, and load balancers send it nothing more. A
 * request that comes while it stops listening would be lost.
 */
export async function drainNode(
  node: ClusterNode,
  engine: Pick<LocalEngine, "drain">,
  drainMs: number,
): Promise<void> {
  await node.drain();
  await Promise.all([settledWithin([engine.drain()], drainMs + DRAIN_MARGIN_MS), node.untilNoticed()]);
}

/** All nodes see the same files in shared roots, and what lies in them; and have clones of their own in others. */
export function nodeRoots(
  roots: readonly string[],
  { sharedRoots, gitRoots }: Config,
  data: string,
): NodeRoot[] {
  const within = (roots: readonly string[]) => {
    const real = roots.map((root) => realpathSync(root));
    return (path: string) => real.some((root) => isInside(path, root));
  };
  const [isShared, isGit] = [within(sharedRoots), within(gitRoots)];
  return roots.map((named) => {
    const path = realpathSync(named);
    const files = isShared(path) ? "shared" : isGit(path) ? "git" : "pinned";
    // A data directory has worktrees of its node, and belongs to no other one.
    const identity =
      files !== "pinned" || isInside(realpathSync(data), path) ? undefined : directoryIdentity(path);
    return { path, files, ...(path !== named && { named }), ...(identity !== undefined && { identity }) };
  });
}

/** Undefined where no files travel by git. */
export function gitFilesOf(
  { daemon }: Pick<ClusterNode, "daemon">,
  { gitRoots }: Config,
  { temporary }: DataDirectory,
): GitFiles | undefined {
  const roots = gitRoots.map((root) => realpathSync(root));
  return roots.length > 0 ? openGitFiles({ daemon, roots, temporary }) : undefined;
}
