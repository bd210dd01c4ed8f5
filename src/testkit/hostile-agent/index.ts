/** An agent that says whatever can be said, in any size, shape and order, as a seed has it. */
import { ownProgram } from "../../package-root.ts";
import type { WireName } from "./wire.ts";

export { HostileJson } from "./hostile-json.ts";
export type { WireName } from "./wire.ts";

const PROGRAM = ownProgram("testkit/hostile-agent/main");

export interface HostileAgentOptions {
  /** What it speaks: ACP unless told otherwise. */
  readonly wire?: WireName;
  /** About how large a single value may become. */
  readonly maxBytes?: number;
}

/**
 * The command that starts it. It opens a session as it should; what it does in a turn follows from `seed:N` in the prompt.
 *
 * @example
 * const { command, args } = hostileAgent({ maxBytes: 50_000_000 });
 * const config = { agents: { hostile: { protocol: "acp", command: [command, ...args] } } };
 */
export function hostileAgent({ wire = "acp", maxBytes = 1_000_000 }: HostileAgentOptions = {}): {
  command: string;
  args: string[];
} {
  return { command: process.execPath, args: [PROGRAM, wire, String(maxBytes)] };
}
