/** Codex's program: the version we install, how it is found, and which versions are supported. */
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

/** How to sign in. A program installed by us is not on the PATH, so it is named in full. */
export function signInRemedy({ command, from }: Pick<FoundProgram, "command" | "from">): string {
  const program = from === "path" ? PROGRAM.executable : command;
  return `Run \`${program} login\` in a terminal, or set CODEX_API_KEY or OPENAI_API_KEY in the daemon's environment or in the session's env.`;
}

/** For failures of the model, where the program that ran is not known. */
export const CODEX: FailingAgent = {
  title: TITLE,
  signIn: signInRemedy({ command: PROGRAM.executable, from: "path" }),
};
