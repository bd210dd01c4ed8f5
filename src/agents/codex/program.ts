/** Codex's program: which one we know, and how it is found. */
import { InterlinguaError } from "../../core/error.ts";
import type { FoundProgram, ProgramPreset, Programs } from "../../core/program.ts";

export const PROGRAM: ProgramPreset = {
  agent: "codex",
  executable: "codex",
  package: "@openai/codex",
  version: "0.166.0",
};

/** The oldest one whose protocol has all that we use. */
const OLDEST_VERSION = "0.160.0";

export const INSTALL_COMMAND = "interlingua agents install codex";

/** Rejects with `agent_not_installed` when there is none. */
export async function findProgram(programs: Programs): Promise<FoundProgram> {
  const program = await programs.find(PROGRAM);
  if (program) return program;
  throw new InterlinguaError(
    "agent_not_installed",
    `Codex is not installed. Run \`${INSTALL_COMMAND}\`, or name a program in agents.codex.command of the config file.`,
  );
}

/** How somebody signs in; the one that was installed here is on nobody's PATH. */
export function signInRemedy({ command, from }: FoundProgram): string {
  const program = from === "path" ? PROGRAM.executable : command;
  return `Run \`${program} login\` in a terminal, or set CODEX_API_KEY or OPENAI_API_KEY in the daemon's environment or in the session's env.`;
}

/** A sentence for a version that is too old; undefined for one that will do. */
export function versionProblem(
  version: string | undefined,
  { command, from }: FoundProgram,
): string | undefined {
  if (version === undefined || version.localeCompare(OLDEST_VERSION, "en", { numeric: true }) >= 0)
    return undefined;
  const remedy =
    from === "config"
      ? `Update it, or take agents.codex.command out of the config file and run \`${INSTALL_COMMAND}\` for ${PROGRAM.version}.`
      : `Run \`${INSTALL_COMMAND}\` for ${PROGRAM.version}.`;
  return `Codex ${version} (${command}) is too old: ${OLDEST_VERSION} is the oldest that can be used. ${remedy}`;
}
