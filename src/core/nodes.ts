/** The port to the daemons that share a store. One that has its store alone is one node (sole-node.ts). */

/**
 * - `live`: it takes sessions.
 * - `unready`: it lives, and clients should not be sent to it: `problem` says why.
 * - `draining`: it was told to go, finishes its turns and takes nothing new.
 * - `frozen`: its beat stands still. It does nothing, and others do not have its sessions yet.
 * - `dead`: it was declared dead, and was not started again since. Others have its sessions, or take them.
 */
export const NODE_STATES = ["live", "unready", "draining", "frozen", "dead"] as const;
export type NodeState = (typeof NODE_STATES)[number];

/** A node as clients see it. */
export interface NodeView {
  /** The number of its incarnation: a restart has another one. */
  id: number;
  name: string;
  /** Where other nodes reach it; its own address where there are no others. */
  url?: string;
  state: NodeState;
  /** Why it is not ready, and what to do. */
  problem?: string;
  /** How many sessions it has now. Those of idle sessions are at no node. */
  sessions: number;
  agents: number;
  maxAgents: number;
  /** Whether it is the one that was asked. */
  self: boolean;
}

/** Whether this node takes work. */
export type Readiness =
  | { ready: true }
  | { ready: false; state: "unready" | "draining" | "frozen"; problem: string };

/** What a node has counted since it was started, for metrics. */
export interface NodeCounts {
  /** Its number, as in its view. */
  id: number;
  name: string;
  /** Whether it may write. */
  isLeaseHeld: boolean;
  isDraining: boolean;
  sessionsOwned: number;
  beats: number;
  failedBeats: number;
  /** Times it found itself declared dead. */
  lostLeases: number;
  claims: number;
  /** Claims of sessions whose node was dead. */
  takeovers: number;
  declaredDead: number;
}

export interface Nodes {
  /** All that live and those that died last, in the order of their numbers. Rejects with `store_busy`. */
  list(): Promise<NodeView[]>;
  /** From memory: asks nobody. */
  readiness(): Readiness;
  /** Absent where there is no cluster. */
  counts?(): NodeCounts;
}
