/** The program of an agent: how it is found, asked for its version, and how to get another. */
import type { AgentStatus } from "../../core/capability.ts";
import { InterlinguaError } from "../../core/error.ts";
import type { FoundProgram, ProgramPreset, Programs } from "../../core/program.ts";
import type { ProgramAnswers } from "./program-answers.ts";

export function installCommand(agent: string): string {
  return `interlingua agents install ${agent}`;
}

/**
 * Rejects with `agent_not_installed` when there is none, and as `Programs` does for a configured one that is not there.
 * The title is how people call the agent.
 */
export async function findAgentProgram(
  programs: Programs,
  preset: ProgramPreset,
  title: string,
): Promise<FoundProgram> {
  const program = await programs.find(preset);
  if (program) return program;
  const { agent } = preset;
  throw new InterlinguaError(
    "agent_not_installed",
    `${title} is not installed. Run \`${installCommand(agent)}\`, or name a program in agents.${agent}.command of the config file.`,
  );
}

/** Probes a program. Never rejects: without one the status says how to get it. */
export async function probeProgram(
  finding: Promise<FoundProgram>,
  look: (program: FoundProgram) => Promise<AgentStatus>,
): Promise<AgentStatus> {
  let program: FoundProgram;
  try {
    program = await finding;
  } catch (error) {
    const isMissing = InterlinguaError.isInstance(error) && error.code === "agent_not_installed";
    return {
      installed: false,
      ...(isMissing && { missing: true as const }),
      remedy: (error as Error).message,
    };
  }
  return look(program);
}

/** The version a program says it has; undefined when it says none. */
export async function readVersion(
  answers: ProgramAnswers,
  program: FoundProgram,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const output = await answers.ask(program, "--version", signal);
  return /^\d+\.\d+\.\d+[\w.-]*/.exec(output.trim())?.[0];
}

export interface KnownVersions {
  /** How people call the agent. */
  readonly title: string;
  readonly preset: ProgramPreset;
  readonly oldest: string;
  /** The program's own command that gets its newest version, where it has one. */
  readonly update?: string;
}

/** Rejects with `agent_not_installed` when there is none, and with `agent_version` for one that is too old. */
export async function requireSupportedProgram(
  { programs, answers }: { programs: Programs; answers: ProgramAnswers },
  known: KnownVersions,
  signal?: AbortSignal,
): Promise<FoundProgram> {
  const program = await findAgentProgram(programs, known.preset, known.title);
  const problem = versionProblem(known, await readVersion(answers, program, signal), program);
  if (problem === undefined) return program;
  answers.forget(program);
  throw new InterlinguaError("agent_version", problem);
}

/** A sentence for a version that is too old; undefined for one that will do, or that is not told. */
export function versionProblem(
  { title, preset, oldest, update }: KnownVersions,
  version: string | undefined,
  { command, from }: FoundProgram,
): string | undefined {
  if (version === undefined) return undefined;
  if (version.localeCompare(oldest, "en", { numeric: true }) >= 0) return undefined;
  const install = `\`${installCommand(preset.agent)}\` for ${preset.version}`;
  const remedy =
    from === "config"
      ? `Update it, or take agents.${preset.agent}.command out of the config file and run ${install}.`
      : `Run ${install}${update === undefined ? "" : `, or \`${update}\``}.`;
  return `${title} ${version} (${command}) is too old: ${oldest} is the oldest that can be used. ${remedy}`;
}
