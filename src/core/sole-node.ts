/** The nodes of a daemon that shares its store with nobody: itself. */
import type { Nodes } from "./nodes.ts";

export interface SoleNodeOptions {
  name: string;
  /** Where it listens, once it does. */
  url(): string;
  load(): { sessions: number; agents: number; maxAgents: number };
}

/** No other number is ever given. */
const NUMBER = 1;

export function soleNode({ name, url, load }: SoleNodeOptions): Nodes {
  return {
    list: async () => [{ id: NUMBER, name, url: url(), state: "live", ...load(), self: true }],
    readiness: () => ({ ready: true }),
  };
}
