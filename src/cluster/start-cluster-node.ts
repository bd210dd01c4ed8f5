/** Makes this daemon a node of a cluster: joins, beats, watches the others, and takes over from those that died. */
import type { NodeLocks } from "../core/node-lock.ts";
import type { Ownership } from "../core/ownership.ts";
import type { SharedDirectories } from "../core/shared-directories.ts";
import { PostgresConnection } from "../store/postgres/connection.ts";
import { PostgresFailure } from "../store/postgres/postgres-failure.ts";
import { openCheckpointPlace } from "./checkpoint-place.ts";
import { ClusterOwnership, type NodeProcesses } from "./cluster-ownership.ts";
import { DatabaseDirectories } from "./database-directories.ts";
import { DirectoryLocks } from "./directory-locks.ts";
import { DEFAULT_LEASE_TIMES, type LeaseTimes } from "./lease-times.ts";
import { NodeLease } from "./node-lease.ts";
import { type NodeDescription, NodeTable } from "./node-table.ts";
import { repeatEvery } from "./repeat-every.ts";
import { SessionClaims } from "./session-claims.ts";

export interface ClusterNodeOptions extends NodeDescription {
  /** The database, which has its tables already. With its password. */
  url: string;
  processes: NodeProcesses;
  logger: NodeLogger;
  times?: Partial<LeaseTimes>;
}

/** Besides the one for beats. */
const CLAIM_CONNECTIONS = 2;

export interface NodeLogger {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

export interface ClusterNode {
  readonly ownership: Ownership;
  /** The number of its incarnation. */
  readonly id: number;
  readonly name: string;
  /** What others do in directories that they share with this node; absent where there are none. */
  readonly directories?: SharedDirectories;
  readonly locks: NodeLocks;
  /** The id of a directory in which all nodes keep checkpoints. Rejects with a sentence if it is another one than theirs. */
  openCheckpointPlace(directory: string): Promise<string>;
  /** Frees everything it has, for others to go on with. Sessions are stopped before. Never rejects. */
  close(): Promise<void>;
}

export async function startClusterNode(options: ClusterNodeOptions): Promise<ClusterNode> {
  const { url, name, daemon, profile, processes, logger } = options;
  const times = { ...DEFAULT_LEASE_TIMES, ...options.times };
  const { beatMs, reconcileMs } = times;
  // A beat that gets no answer leaves time for others before the node has to freeze.
  const timeouts = { connectMs: beatMs, statementMs: beatMs };
  const beats = await PostgresConnection.open({ url, reads: CLAIM_CONNECTIONS, timeouts });
  const table = new NodeTable(beats, { name, daemon, profile });
  const lease = new NodeLease({
    table,
    times,
    clock: { monotonic: () => performance.now(), wall: () => Date.now() },
    onBeat: (leftMs) => processes.freezeIn(leftMs),
    onState: (state) => {
      ownership.note(state);
      if (state === "live") logger.info({ node: lease.node }, "this node lives");
      else if (state === "frozen")
        logger.warn({ node: lease.node }, "the database was not reached: agents wait");
      else logger.error({ node: lease.node }, "this node was declared dead: its sessions are given up");
    },
  });
  const ownership = new ClusterOwnership({
    daemon,
    lease,
    claims: new SessionClaims(beats, { daemon, roots: profile.roots }),
    processes,
    now: () => performance.now(),
  });
  const locks = new DirectoryLocks({ connection: beats, lease, suspended: () => ownership.suspended });
  const sharedRoots = profile.roots.filter(({ files }) => files === "shared").map(({ path }) => path);
  const directories = new DatabaseDirectories({ connection: beats, lease, daemon, sharedRoots });
  try {
    await lease.join();
    await directories.clean();
  } catch (error) {
    await beats.close();
    throw error;
  }

  const beat = async () => {
    if (lease.check() !== "lost") return lease.beat();
    await ownership.giveUp();
    await lease.join();
  };
  const watch = async () => {
    const dead = await lease.observe();
    if (dead > 0) logger.warn({ dead }, "nodes were declared dead");
  };
  const onError = (error: unknown) => {
    // That the database cannot be reached is said by the lease.
    if (!(error instanceof PostgresFailure)) logger.error({ err: error }, "this node has a fault");
  };
  const loops = [
    repeatEvery(beatMs, beat, onError),
    repeatEvery(beatMs, watch, onError),
    repeatEvery(beatMs, () => ownership.takeUpOrphans(), onError),
    repeatEvery(reconcileMs, () => ownership.reconcile(), onError),
  ];
  const deadline = setInterval(() => lease.check(), beatMs / 4).unref();
  return {
    ownership,
    name,
    locks,
    ...(sharedRoots.length > 0 && { directories }),
    openCheckpointPlace: (directory) => openCheckpointPlace(beats, directory, lease.node),
    get id() {
      return lease.node;
    },
    async close() {
      clearInterval(deadline);
      await Promise.all(loops.map((loop) => loop.stop()));
      await table
        .leave(lease.node)
        .catch((error) => logger.warn({ err: error }, "others find this node dead later"));
      await beats.close();
    },
  };
}
