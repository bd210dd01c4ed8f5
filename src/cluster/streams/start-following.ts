/** Puts together what this node follows of others, and what it tells them. */
import type { PeerNews } from "../../core/peer-news.ts";
import type { Store } from "../../core/store.ts";
import type { Engine } from "../../engine/engine.ts";
import { PostgresFailure } from "../../store/postgres/postgres-failure.ts";
import type { Peers } from "../peers/start-peers.ts";
import type { ClusterNode, NodeLogger } from "../start-cluster-node.ts";
import { ClusterFollowing } from "./cluster-following.ts";

export interface FollowedParts {
  /** Of this node alone. */
  engine: Engine;
  store: Pick<Store, "readEvents" | "listSessions">;
  logger: NodeLogger;
}

export interface NodeFollowing extends Pick<Engine, "follow" | "followAll"> {
  readonly news: PeerNews;
  /** The same for all nodes. */
  readonly startedAt: number;
  /** Others get nothing more of this node. Idempotent. */
  close(): void;
}

export async function startFollowing({
  engine,
  store,
  logger,
  node,
  peers,
}: FollowedParts & {
  node: ClusterNode;
  peers: Pick<Peers, "transport" | "routes">;
}): Promise<NodeFollowing> {
  const { heads, ownership } = node;
  const startedAt = await heads.readBeginning();
  const following = new ClusterFollowing({
    ...{ engine, store, ...peers },
    held: ownership,
    nodes: () => heads.otherNodes(node.id),
    readHeads: (sessions) => heads.read(sessions),
    onFault(error) {
      // That the database cannot be reached is said by the lease.
      if (!(error instanceof PostgresFailure)) logger.error({ err: error }, "following other nodes failed");
    },
  });
  return Object.assign(following, { startedAt });
}
