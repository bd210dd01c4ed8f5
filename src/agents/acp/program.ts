/** Finds the program of an ACP agent, or says how to get it. */
import { InterlinguaError } from "../../core/error.ts";
import type { FoundProgram, Programs } from "../../core/program.ts";
import { type AcpAgent, presetOf } from "./agent.ts";

/** Rejects with `agent_not_installed` when there is none, and as `Programs` does for a configured one that is not there. */
export async function findProgram(agent: AcpAgent, programs: Programs): Promise<FoundProgram> {
  const { name, title } = agent;
  const { executable } = agent.program;
  // Of an agent from the config only the command that stands there is looked for.
  const preset = presetOf(agent) ?? { agent: name, executable, package: "", version: "" };
  const program = await programs.find(preset);
  if (program) return program;
  throw new InterlinguaError(
    "agent_not_installed",
    `${title} is not installed. Run \`interlingua agents install ${name}\`, or name a program in agents.${name}.command of the config file.`,
  );
}
