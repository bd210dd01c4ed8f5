/** Makes this daemon a node of a cluster: joins, beats, watches the others, and takes over from those that died. */
import { setTimeout as sleep } from "node:timers/promises";
import type { NodeLocks } from "../core/node-lock.ts";
import type { Nodes } from "../core/nodes.ts";
import type { SharedDirectories } from "../core/shared-directories.ts";
import { PostgresConnection } from "../store/postgres/connection.ts";
import { PostgresFailure } from "../store/postgres/postgres-failure.ts";
import { assertSameSecret, assertSameSecretSince, type HasOurSecret } from "./assert-same-secret.ts";
import { assertSoleDaemon } from "./assert-sole-daemon.ts";
import { openCheckpointPlace } from "./checkpoint-place.ts";
import { ClusterNodes } from "./cluster-nodes.ts";
import { ClusterOwnership, type NodeProcesses } from "./cluster-ownership.ts";
import { DatabaseDirectories } from "./database-directories.ts";
import { type DatabaseIdentity, identifyDatabase } from "./database-identity.ts";
import { DatabaseLocks } from "./database-locks.ts";
import { JoinRefusedError } from "./join-refused.ts";
import { DEFAULT_LEASE_TIMES, type LeaseTimes } from "./lease-times.ts";
import { type Disagreement, findDisagreement } from "./node-agreement.ts";
import { NodeLease } from "./node-lease.ts";
import type { NodeLoad } from "./node-load.ts";
import type { NodeRoot } from "./node-profile.ts";
import { type NodeDescription, type NodeNumber, NodeTable } from "./node-table.ts";
import { repeatEvery } from "./repeat-every.ts";
import { SameDirectories } from "./same-directories.ts";
import { SessionClaims } from "./session-claims.ts";
import { type SessionPlaces, StoredSessionPlaces } from "./session-places.ts";
import { SessionHeads } from "./streams/session-heads.ts";

export interface ClusterNodeOptions extends NodeDescription {
  /** The address of the database, which has its tables already. With its password. */
  store: string;
  /** The data directory, whose lock is held. */
  data: string;
  number: NodeNumber;
  processes: NodeProcesses;
  /** How many agents run, and may. Asked with each beat. */
  load(): Pick<NodeLoad, "agents" | "maxAgents">;
  /** Of each node when absent. */
  hasOurSecret?: HasOurSecret;
  logger: NodeLogger;
  times?: Partial<LeaseTimes>;
}

/** Besides the one for beats. */
const CLAIM_CONNECTIONS = 2;

/** The roots of a node that does not say any. */
const EVERYTHING: readonly NodeRoot[] = [{ path: "/", files: "shared" }];

export interface NodeLogger {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

export interface ClusterNode {
  readonly ownership: ClusterOwnership;
  readonly nodes: Nodes;
  /** Where the logs of all sessions end. */
  readonly heads: SessionHeads;
  /** Where sessions are, and could be. */
  readonly places: SessionPlaces;
  /** The number of its incarnation. */
  readonly id: number;
  readonly name: string;
  /** The id of the database, the same for all nodes. */
  readonly database: string;
  /** Whether a node lives, by the table of nodes. Never rejects. */
  isLiving(node: number): Promise<boolean>;
  /** The id of the daemon, the same for all its incarnations. */
  readonly daemon: string;
  /** What others do in directories that they share with this node; absent where there are none. */
  readonly directories?: SharedDirectories;
  readonly locks: NodeLocks;
  /** The id of a directory in which all nodes keep checkpoints. Rejects with a sentence if it is another one than theirs. */
  openCheckpointPlace(directory: string): Promise<string>;
  /** Resolves when it cannot be a node any more, with the reason. */
  readonly refused: Promise<Error>;
  /** Nothing is claimed from now on, and others are told. Never rejects. */
  drain(): Promise<void>;
  /** Resolves when load balancers have had time to notice that the node drains. Never rejects. */
  untilNoticed(): Promise<void>;
  /** Frees everything it has, for others to go on with. Sessions are stopped before. Never rejects. */
  close(): Promise<void>;
}

export async function startClusterNode(options: ClusterNodeOptions): Promise<ClusterNode> {
  const { store, name, daemon, url, profile, data, number, processes, load, logger } = options;
  const times = { ...DEFAULT_LEASE_TIMES, ...options.times };
  const { beatMs, reconcileMs } = times;
  const roots = profile?.roots ?? EVERYTHING;
  let isDraining = false;
  let disagreement: Disagreement | undefined;
  const counts = { beats: 0, failedBeats: 0, lostLeases: 0, declaredDead: 0 };
  const refused = Promise.withResolvers<Error>();
  // A beat that gets no answer leaves time for others before the node has to freeze.
  const timeouts = { connectMs: beatMs, statementMs: beatMs };
  const beats = await PostgresConnection.open({ url: store, reads: CLAIM_CONNECTIONS, timeouts });
  const table = new NodeTable(beats, {
    ...{ name, daemon, url, profile },
    number,
    load: () => ({
      ...load(),
      isDraining: isDraining || disagreement?.about === "clock",
      ...(!isDraining && { problem: disagreement?.problem }),
    }),
  });
  const lease = new NodeLease({
    table,
    times,
    clock: { monotonic: () => performance.now(), wall: () => Date.now() },
    onBeat: (leftMs) => processes.freezeIn(leftMs),
    onState: (state) => {
      ownership.note(state);
      if (state === "lost") counts.lostLeases += 1;
      if (state === "live") logger.info({ node: lease.node, name }, "this node lives");
      else if (state === "frozen")
        logger.warn({ node: lease.node }, "the database was not reached: agents wait");
      else logger.error({ node: lease.node }, "this node was declared dead: its sessions are given up");
    },
  });
  const ownership = new ClusterOwnership({
    ...{ name, lease, processes },
    claims: new SessionClaims(beats),
    now: () => performance.now(),
  });
  const locks = new DatabaseLocks({ connection: beats, lease, suspended: () => ownership.suspended });
  const sharedRoots = roots.filter(({ files }) => files === "shared").map(({ path }) => path);
  const hasIdentities = roots.some(({ identity }) => identity !== undefined);
  const same = new SameDirectories({
    ...{ connection: beats, lease },
    onFound: (paths) =>
      logger.info(
        { roots: paths },
        "another node sees the very same directories: sessions there run at both",
      ),
  });
  const directories = new DatabaseDirectories({
    ...{ connection: beats, lease, daemon },
    sharedRoots: () => [...sharedRoots, ...same.paths],
  });
  const nodes = new ClusterNodes({
    ...{ table, lease, pause: sleep },
    now: () => performance.now(),
    isDraining: () => isDraining,
    problem: () => disagreement?.problem,
    counts: () => ({
      id: lease.node,
      name,
      ...counts,
      ...ownership.counts,
      isLeaseHeld: lease.check() === "live",
      isDraining,
      sessionsOwned: ownership.size,
    }),
  });
  const { hasOurSecret = () => true } = options;
  const waitFor = (who: string) => (milliseconds: number) =>
    logger.info({ milliseconds }, `${who} may live: waiting at most this long whether it does`);
  /** Dead nodes with another secret: their digests of tokens say nothing. */
  let strangers: ReadonlySet<number> = new Set();
  const compare = () => {
    const { self, others } = table.facts(lease.node);
    const before = disagreement?.about;
    disagreement = findDisagreement(
      self,
      others.filter(({ id }) => !lease.isFrozen(id) && !strangers.has(id)),
    );
    ownership.setAside(disagreement?.about === "clock" ? disagreement.problem : undefined);
    if (disagreement?.about === before) return;
    if (disagreement) logger.error({ node: lease.node }, `not ready: ${disagreement.problem}`);
    else logger.info({ node: lease.node }, "this node agrees with the others again, and is ready");
  };
  let database: DatabaseIdentity;
  const join = async () => {
    database = await identifyDatabase(beats);
    const { forgottenNodes } = database;
    if (forgottenNodes !== undefined)
      logger.warn({ forgottenNodes }, "this database is a copy of another one");
    await assertSoleDaemon(table, {
      times,
      data,
      onWait: waitFor("a node with the id of this data directory"),
    });
    const onWait = waitFor("a node with another cluster secret");
    strangers = await assertSameSecret(table, { times, hasOurSecret, onWait });
    await lease.join();
    await assertSameSecretSince(table, { hasOurSecret, node: lease.node, dead: strangers }).catch(
      async (error) => {
        await table.leave(lease.node).catch(() => {});
        throw error;
      },
    );
    // Before anybody sends it something.
    await table.readBeats();
    compare();
    if (disagreement) await lease.beat();
  };
  try {
    await join();
    await table.adoptSessions(lease.node);
    await directories.clean();
    if (hasIdentities) await same.look();
  } catch (error) {
    await beats.close();
    throw error;
  }

  const beat = async () => {
    try {
      if (lease.check() !== "lost") await lease.beat();
      else {
        await ownership.giveUp();
        await join();
      }
      counts.beats += 1;
    } catch (error) {
      counts.failedBeats += 1;
      // It would be declared dead by the other one again and again, and the other one by it.
      if (error instanceof JoinRefusedError) refused.resolve(error);
      throw error;
    }
  };
  const watch = async () => {
    const dead = await lease.observe();
    compare();
    counts.declaredDead += dead;
    if (dead > 0) logger.warn({ dead }, "nodes were declared dead");
    if (hasIdentities) await same.look();
  };
  const onError = (error: unknown) => {
    // That the database cannot be reached is said by the lease, and a refusal by whoever ends this.
    if (error instanceof PostgresFailure || error instanceof JoinRefusedError) return;
    logger.error({ err: error }, "this node has a fault");
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
    daemon,
    locks,
    ...((sharedRoots.length > 0 || hasIdentities) && { directories }),
    openCheckpointPlace: (directory) => openCheckpointPlace(beats, directory, lease.node),
    nodes,
    places: new StoredSessionPlaces(beats),
    refused: refused.promise,
    heads: new SessionHeads(beats),
    get id() {
      return lease.node;
    },
    get database() {
      return database.id;
    },
    isLiving: (node) => table.isLiving(node),
    async drain() {
      isDraining = true;
      ownership.drain();
      // The next beat tells it, too.
      await table.beat(lease.node).catch(() => {});
    },
    untilNoticed: () => nodes.untilNoticed(),
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
