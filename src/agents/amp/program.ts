/** Amp's program: which one we know, how it is found, and what it says it can do. */
import { InterlinguaError } from "../../core/error.ts";
import type { FoundProgram, ProgramPreset, Programs } from "../../core/program.ts";
import type { ProgramAnswers } from "../transport/program-answers.ts";
import { type AmpFlags, readHelp } from "./help.ts";

export const PROGRAM: ProgramPreset = {
  agent: "amp",
  executable: "amp",
  package: "@ampcode/cli",
  version: "0.0.1790142911-g7618fb",
};

export const INSTALL_COMMAND = "interlingua agents install amp";

/** Rejects with `agent_not_installed` when there is none. */
export async function findProgram(programs: Programs): Promise<FoundProgram> {
  const program = await programs.find(PROGRAM);
  if (program) return program;
  throw new InterlinguaError(
    "agent_not_installed",
    `Amp is not installed. Run \`${INSTALL_COMMAND}\`, or name a program in agents.amp.command of the config file.`,
  );
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

/** Rejects with `agent_version` for a program that cannot be spoken with. */
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
