/** Finds the program of an ACP agent, or says how to get it. */
import type { FoundProgram, Programs } from "../../core/program.ts";
import { findAgentProgram } from "../transport/agent-program.ts";
import { type AcpAgent, presetOf } from "./agent.ts";

/** Rejects with `agent_not_installed` when there is none, and as `Programs` does for a configured one that is not there. */
export function findProgram(agent: AcpAgent, programs: Programs): Promise<FoundProgram> {
  const { name, title } = agent;
  const { executable } = agent.program;
  // Of an agent from the config only the command that stands there is looked for.
  const preset = presetOf(agent) ?? { agent: name, executable, package: "", version: "" };
  return findAgentProgram(programs, preset, title);
}
