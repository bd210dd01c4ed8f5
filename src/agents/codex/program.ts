/** Codex's program: which one we know, how it is found, and whether this one will do. */
import type { FoundProgram, ProgramPreset, Programs } from "../../core/program.ts";
import { findAgentProgram, installCommand, type KnownVersions } from "../transport/agent-program.ts";
import type { FailingAgent } from "../transport/model-failure.ts";

export const TITLE = "Codex";

export const PROGRAM: ProgramPreset = {
  agent: "codex",
  executable: "codex",
  package: "@openai/codex",
  version: "0.166.0",
};

export const VERSIONS: KnownVersions = {
  title: TITLE,
  preset: PROGRAM,
  // The oldest one whose protocol has all that we use.
  oldest: "0.160.0",
};

export const INSTALL_COMMAND = installCommand(PROGRAM.agent);

/** Rejects with `agent_not_installed` when there is none. */
export function findProgram(programs: Programs): Promise<FoundProgram> {
  return findAgentProgram(programs, PROGRAM, TITLE);
}

/** How somebody signs in; the one that was installed here is on nobody's PATH. */
export function signInRemedy({ command, from }: Pick<FoundProgram, "command" | "from">): string {
  const program = from === "path" ? PROGRAM.executable : command;
  return `Run \`${program} login\` in a terminal, or set CODEX_API_KEY or OPENAI_API_KEY in the daemon's environment or in the session's env.`;
}

/** In failures of the model, where it is not known which program it was. */
export const CODEX: FailingAgent = {
  title: TITLE,
  signIn: signInRemedy({ command: PROGRAM.executable, from: "path" }),
};
