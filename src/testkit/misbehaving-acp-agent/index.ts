/** A made-up ACP agent that does whatever a prompt names, good or bad. */
import { ownProgram } from "../../package-root.ts";
import type { StartFault } from "./start-faults.ts";

export type { StartFault } from "./start-faults.ts";

export interface MisbehavingAcpAgentOptions {
  /** How it goes wrong before there is a session. It does not when absent. */
  readonly fault?: StartFault;
  /** Where it keeps its sessions, to take them up later. It forgets them when absent. */
  readonly memory?: string;
}

const PROGRAM = ownProgram("testkit/misbehaving-acp-agent/main");

/**
 * The command that starts it. The first word of a prompt names what it does in the turn: see `turns.ts`.
 *
 * @example
 * const { command, args } = misbehavingAcpAgent({ fault: "noise" });
 * const config = { agents: { odd: { protocol: "acp", command: [command, ...args] } } };
 */
export function misbehavingAcpAgent({ fault, memory }: MisbehavingAcpAgentOptions = {}): {
  command: string;
  args: string[];
} {
  return {
    command: process.execPath,
    args: [PROGRAM, fault ?? "none", ...(memory === undefined ? [] : [memory])],
  };
}
