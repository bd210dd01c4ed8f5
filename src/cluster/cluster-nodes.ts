/** The nodes of a cluster, as one of them sees them. */
import type { NodeCounts, NodeState, Nodes, NodeView, Readiness } from "../core/nodes.ts";
import { storeBusy } from "../store/read-problems.ts";
import type { LeaseState } from "./node-lease.ts";
import type { NodeRow } from "./node-table.ts";

export interface ClusterNodesOptions {
  table: { list(): Promise<NodeRow[]> };
  lease: { readonly node: number; check(): LeaseState; isFrozen(node: number): boolean };
  isDraining(): boolean;
  counts(): NodeCounts;
}

export class ClusterNodes implements Nodes {
  readonly #options: ClusterNodesOptions;

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
    const { lease, isDraining } = this.#options;
    if (isDraining())
      return { ready: false, state: "draining", problem: "This node finishes its turns and goes." };
    if (lease.check() === "live") return { ready: true };
    const problem = "This node has lost touch with the database, and waits.";
    return { ready: false, state: "frozen", problem };
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
    const view = { id, name, state, sessions, agents: isRunning ? agents : 0, maxAgents, self };
    return url === null ? view : { ...view, url };
  }

  #state({ id, isDead, isDraining }: NodeRow, self: boolean): NodeState {
    const { lease } = this.#options;
    if (isDead) return "dead";
    if (self ? lease.check() !== "live" : lease.isFrozen(id)) return "frozen";
    return isDraining || (self && this.#options.isDraining()) ? "draining" : "live";
  }
}
