/** OpenCode's program: which one we know, how it is found, and whether this one will do. */
import type { FoundProgram, ProgramPreset, Programs } from "../../core/program.ts";
import { findAgentProgram, installCommand, tooOldProblem } from "../transport/agent-program.ts";

const TITLE = "OpenCode";

export const PROGRAM: ProgramPreset = {
  agent: "opencode",
  executable: "opencode",
  package: "opencode-ai",
  version: "1.18.33",
};

/** The oldest whose server tells what our translator reads. */
const OLDEST_VERSION = "1.18.0";

export const INSTALL_COMMAND = installCommand(PROGRAM.agent);

/** Rejects with `agent_not_installed` when there is none. */
export function findProgram(programs: Programs): Promise<FoundProgram> {
  return findAgentProgram(programs, PROGRAM, TITLE);
}

/** A sentence for a version that is too old; undefined for one that will do. */
export function versionProblem(version: string, program: FoundProgram): string | undefined {
  const known = { title: TITLE, preset: PROGRAM, oldest: OLDEST_VERSION, update: "opencode upgrade" };
  return tooOldProblem(known, version, program);
}
