/** The nodes of a cluster, as one of them sees them. */
import type { NodeCounts, NodeState, Nodes, NodeView, Readiness } from "../core/nodes.ts";
import { storeBusy } from "../store/read-problems.ts";
import type { LeaseState } from "./node-lease.ts";
import type { NodeRow } from "./node-table.ts";

export interface ClusterNodesOptions {
  table: { list(): Promise<NodeRow[]> };
  lease: { readonly node: number; check(): LeaseState; isFrozen(node: number): boolean };
  isDraining(): boolean;
  /** Why this node cannot serve clients beside the others. */
  problem(): string | undefined;
  counts(): NodeCounts;
  /** Monotonic milliseconds. */
  now(): number;
  pause(milliseconds: number): Promise<unknown>;
}

/** A load balancer that asks less often is not waited for. */
const ASKED_WITHIN_MS = 10_000;

/** Enough for two questions of a load balancer that asks every two seconds. */
const NOTICE_MS = 5000;

export class ClusterNodes implements Nodes {
  readonly #options: ClusterNodesOptions;
  #askedAt = Number.NEGATIVE_INFINITY;

  constructor(options: ClusterNodesOptions) {
    this.#options = options;
  }

  async list(): Promise<NodeView[]> {
    const rows = await this.#options.table.list().catch((error: unknown) => {
      throw storeBusy(error);
    });
    return rows.map((row) => this.#view(row));
  }

  readiness(): Readiness {
    const { lease, isDraining, problem: findProblem, now } = this.#options;
    this.#askedAt = now();
    if (isDraining())
      return { ready: false, state: "draining", problem: "This node finishes its turns and goes." };
    if (lease.check() !== "live")
      return {
        ready: false,
        state: "frozen",
        problem: "This node has lost touch with the database, and waits.",
      };
    const problem = findProblem();
    return problem === undefined ? { ready: true } : { ready: false, state: "unready", problem };
  }

  /** Resolves when load balancers, where any ask this node, had time to notice that it is not ready. */
  async untilNoticed(): Promise<void> {
    const { now, pause } = this.#options;
    if (now() - this.#askedAt < ASKED_WITHIN_MS) await pause(NOTICE_MS);
  }

  counts(): NodeCounts {
    return this.#options.counts();
  }

  #view(row: NodeRow): NodeView {
    const { id, name, url, sessions, agents, maxAgents } = row;
    const self = id === this.#options.lease.node;
    const state = this.#state(row, self);
    // What ran on a dead one does not.
    const isRunning = state !== "dead";
    const problem = state === "unready" ? this.#problem(row, self) : undefined;
    return {
      ...{ id, name, state, sessions, agents: isRunning ? agents : 0, maxAgents, self },
      ...(url !== null && { url }),
      ...(problem !== undefined && { problem }),
    };
  }

  /** The row of this node may be as old as a beat. */
  #problem({ problem }: NodeRow, self: boolean): string | undefined {
    return self ? this.#options.problem() : (problem ?? undefined);
  }

  #state(row: NodeRow, self: boolean): NodeState {
    const { lease } = this.#options;
    const { id, isDead, isDraining } = row;
    if (isDead) return "dead";
    if (self ? lease.check() !== "live" : lease.isFrozen(id)) return "frozen";
    if (self && this.#options.isDraining()) return "draining";
    // In the table a node whose clock is wrong is draining, so that it gets no sessions.
    if (this.#problem(row, self) !== undefined) return "unready";
    return isDraining ? "draining" : "live";
  }
}
