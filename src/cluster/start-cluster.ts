/** Everything that makes this daemon one of several: its address for the others, its lease, and what it owns. */
import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { NodeFiles } from "../core/node-files.ts";
import type { Ownership } from "../core/ownership.ts";
import type { Engine } from "../engine/engine.ts";
import { ClusterEngine, type ClusterEngineOptions } from "./cluster-engine.ts";
import { ClusterFiles } from "./cluster-files.ts";
import type { NodeProfile } from "./node-profile.ts";
import { type Peers, type StartPeersOptions, startPeers } from "./peers/start-peers.ts";
import { type ClusterNode, type ClusterNodeOptions, startClusterNode } from "./start-cluster-node.ts";
import { type FollowedParts, type NodeFollowing, startFollowing } from "./streams/start-following.ts";

export interface ClusterOptions extends Omit<ClusterNodeOptions, "url" | "profile" | "hasOurSecret"> {
  profile: NodeProfile;
  /** That all nodes share. */
  secret: string;
  /** This node takes these from clients, besides the tokens in the database. */
  clientTokens: readonly string[];
  address: Omit<StartPeersOptions, "secret" | "logger">;
}

export interface Cluster {
  readonly ownership: Ownership;
  readonly node: ClusterNode;
  readonly peers: Peers;
  /** Follows the sessions of all nodes, and tells others of ours. */
  follow(parts: FollowedParts): Promise<NodeFollowing>;
  /** That of all nodes, around the one of this node; from then on commands of other nodes are taken. */
  createEngine(parts: Pick<ClusterEngineOptions, "local" | "store" | "following">): Engine;
  /** Those of all nodes, around those of this one; from then on questions of other nodes are answered. */
  openFiles(local: NodeFiles): NodeFiles;
  /** Frees everything this node has. The engine is closed before. Never rejects. */
  close(): Promise<void>;
}

/** Between two lines about a node that does not answer. */
const LOG_PAUSE_MS = 10_000;

/** Rejects where it cannot listen, and where the database cannot be reached; then it leaves nothing behind. */
export async function startCluster({
  secret,
  clientTokens,
  address,
  ...options
}: ClusterOptions): Promise<Cluster> {
  const peers = await startPeers({ ...address, secret, logger: options.logger });
  const warn = inIntervals(LOG_PAUSE_MS, (details: object, message: string) =>
    options.logger.warn(details, message),
  );
  try {
    const profile = {
      ...options.profile,
      proof: peers.proveAddress(options.daemon),
      tokens: clientTokens.map((token) => peers.digestToken(token)),
    };
    const { url, hasOurSecret } = peers;
    const node = await startClusterNode({ ...options, profile, url, hasOurSecret });
    peers.identify({
      node: () => node.id,
      database: () => node.database,
      isLiving: (other) => node.isLiving(other),
    });
    return {
      ownership: node.ownership,
      node,
      peers,
      follow: (parts) => startFollowing({ ...parts, node, peers }),
      createEngine(parts) {
        const engine = new ClusterEngine({
          ...parts,
          name: options.name,
          places: node.places,
          transport: peers.transport,
          node: () => node.id,
          holds: (session) => node.ownership.has(session),
          isDraining: () => node.ownership.isDraining,
          newId: (prefix) => `${prefix}_${randomBytes(12).toString("base64url")}`,
          now: () => performance.now(),
          pause: (milliseconds) => sleep(milliseconds),
          random: Math.random,
          onUnreachable: (error) =>
            warn({ reason: error.message }, "a command did not reach its node, and is tried again"),
        });
        engine.serve(peers.routes);
        return engine;
      },
      openFiles(local) {
        const files = new ClusterFiles({
          local,
          places: node.places,
          transport: peers.transport,
          node: () => node.id,
          random: Math.random,
        });
        files.serve(peers.routes);
        return files;
      },
      async close() {
        await node.close();
        await peers.close();
      },
    };
  } catch (error) {
    await peers.close();
    throw error;
  }
}

/** What comes sooner after the last time is left out. */
function inIntervals<Args extends unknown[]>(
  pauseMs: number,
  act: (...args: Args) => void,
): (...args: Args) => void {
  let last = Number.NEGATIVE_INFINITY;
  return (...args) => {
    if (performance.now() - last < pauseMs) return;
    last = performance.now();
    act(...args);
  };
}
