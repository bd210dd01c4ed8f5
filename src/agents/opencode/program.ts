/** OpenCode's program: which one we know, how it is found, and whether this one will do. */
import { InterlinguaError } from "../../core/error.ts";
import type { FoundProgram, ProgramPreset, Programs } from "../../core/program.ts";
import type { ProgramAnswers } from "../transport/program-answers.ts";

export const PROGRAM: ProgramPreset = {
  agent: "opencode",
  executable: "opencode",
  package: "opencode-ai",
  version: "1.18.33",
};

/** The oldest whose server tells what our translator reads. */
export const OLDEST_VERSION = "1.18.0";

export const INSTALL_COMMAND = "interlingua agents install opencode";

/** Rejects with `agent_not_installed` when there is none. */
export async function findProgram(programs: Programs): Promise<FoundProgram> {
  const program = await programs.find(PROGRAM);
  if (program) return program;
  throw new InterlinguaError(
    "agent_not_installed",
    `OpenCode is not installed. Run \`${INSTALL_COMMAND}\`, or name a program in agents.opencode.command of the config file.`,
  );
}

/** The version a program says it has; undefined when it says none. */
export async function readVersion(
  answers: ProgramAnswers,
  program: FoundProgram,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const output = await answers.ask(program, "--version", signal);
  return /^\d+\.\d+\.\d+/.exec(output.trim())?.[0];
}

/** A sentence for a version that is too old; undefined for one that will do. */
export function versionProblem(version: string, { command, from }: FoundProgram): string | undefined {
  if (version.localeCompare(OLDEST_VERSION, "en", { numeric: true }) >= 0) return undefined;
  const remedy =
    from === "config"
      ? `Update it, or take agents.opencode.command out of the config file and run \`${INSTALL_COMMAND}\` for ${PROGRAM.version}.`
      : `Run \`${INSTALL_COMMAND}\` for ${PROGRAM.version}, or \`opencode upgrade\`.`;
  return `OpenCode ${version} (${command}) is too old: ${OLDEST_VERSION} is the oldest that can be used. ${remedy}`;
}
