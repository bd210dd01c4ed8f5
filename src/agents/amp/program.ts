/** Amp's program: the version we install, how it is found, and which flags it has. */
import { InterlinguaError } from "../../core/error.ts";
import type { FoundProgram, ProgramPreset, Programs } from "../../core/program.ts";
import { findAgentProgram, installCommand } from "../transport/agent-program.ts";
import type { ProgramAnswers } from "../transport/program-answers.ts";
import { type AmpFlags, readHelp } from "./help.ts";

export const TITLE = "Amp";

export const PROGRAM: ProgramPreset = {
  agent: "amp",
  executable: "amp",
  package: "@ampcode/cli",
  version: "0.0.1790142911-g7618fb",
};

export const INSTALL_COMMAND = installCommand(PROGRAM.agent);

/** Rejects with `agent_not_installed` when there is none. */
export function findProgram(programs: Programs): Promise<FoundProgram> {
  return findAgentProgram(programs, PROGRAM, TITLE);
}

/** Rejects with `agent_version` for a program without the flags we need. */
export async function readFlags(
  answers: ProgramAnswers,
  program: FoundProgram,
  signal?: AbortSignal,
): Promise<AmpFlags> {
  const flags = readHelp(await answers.ask(program, "--help", signal));
  if (flags.names.has("--stream-json")) return flags;
  answers.forget(program);
  throw new InterlinguaError(
    "agent_version",
    `${program.command} has no --stream-json, so it is no Amp that can be used. Run \`${INSTALL_COMMAND}\`.`,
  );
}
