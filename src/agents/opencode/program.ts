/** OpenCode's program: the version we install, how it is found, and which versions are supported. */
import type { FoundProgram, ProgramPreset, Programs } from "../../core/program.ts";
import { findAgentProgram, installCommand, type KnownVersions } from "../transport/agent-program.ts";
import type { FailingAgent } from "../transport/model-failure.ts";

export const TITLE = "OpenCode";

export const PROGRAM: ProgramPreset = {
  agent: "opencode",
  executable: "opencode",
  package: "opencode-ai",
  version: "1.18.33",
};

export const VERSIONS: KnownVersions = {
  title: TITLE,
  preset: PROGRAM,
  // The oldest whose server tells what our translator reads.
  oldest: "1.18.0",
  update: "opencode upgrade",
};

export const INSTALL_COMMAND = installCommand(PROGRAM.agent);

/** Rejects with `agent_not_installed` when there is none. */
export function findProgram(programs: Programs): Promise<FoundProgram> {
  return findAgentProgram(programs, PROGRAM, TITLE);
}

export const OPENCODE: FailingAgent = {
  title: TITLE,
  signIn:
    "Run `opencode auth login` in a terminal, or set the key of the provider, such as ANTHROPIC_API_KEY or OPENAI_API_KEY, in the daemon's environment or in the session's env.",
};
