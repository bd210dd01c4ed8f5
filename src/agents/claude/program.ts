/** Claude Code's program: which one we know, how it is found, and whether this one will do. */
import { InterlinguaError } from "../../core/error.ts";
import type { FoundProgram, ProgramPreset, Programs } from "../../core/program.ts";
import type { ProgramAnswers } from "../transport/program-answers.ts";

export const PROGRAM: ProgramPreset = {
  agent: "claude",
  executable: "claude",
  package: "@anthropic-ai/claude-code",
  version: "2.1.325",
};

/** The oldest one our translator has read recordings of. */
export const OLDEST_VERSION = "2.1.197";

export const INSTALL_COMMAND = "interlingua agents install claude";

/** Rejects with `agent_not_installed` when there is none. */
export async function findProgram(programs: Programs): Promise<FoundProgram> {
  const program = await programs.find(PROGRAM);
  if (program) return program;
  throw new InterlinguaError(
    "agent_not_installed",
    `Claude Code is not installed. Run \`${INSTALL_COMMAND}\`, or name a program in agents.claude.command of the config file.`,
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

/** How somebody signs in; the one that was installed here is on nobody's PATH. */
export function signInRemedy({ command, from }: FoundProgram): string {
  const program = from === "path" ? PROGRAM.executable : command;
  return `Run \`${program} auth login\` in a terminal, or set ANTHROPIC_API_KEY in the daemon's environment or in the session's env.`;
}

/** A sentence for a version that is too old; undefined for one that will do. */
export function versionProblem(version: string, { command, from }: FoundProgram): string | undefined {
  if (compareVersions(version, OLDEST_VERSION) >= 0) return undefined;
  const remedy =
    from === "config"
      ? `Update it, or take agents.claude.command out of the config file and run \`${INSTALL_COMMAND}\` for ${PROGRAM.version}.`
      : `Run \`${INSTALL_COMMAND}\` for ${PROGRAM.version}, or \`claude update\`.`;
  return `Claude Code ${version} (${command}) is too old: ${OLDEST_VERSION} is the oldest that can be used. ${remedy}`;
}

function compareVersions(one: string, other: string): number {
  return one.localeCompare(other, "en", { numeric: true });
}
