/** How busy a node is, as it tells the others with each beat. */
export interface NodeLoad {
  /** Agents that run. */
  agents: number;
  /** How many may. */
  maxAgents: number;
  /** It was told to go, and takes nothing new. */
  isDraining: boolean;
  /** Why it is not ready. */
  problem?: string;
}
