/** Amp's program: which one we know, how it is found, and what it says it can do. */
import { InterlinguaError } from "../../core/error.ts";
import type { FoundProgram, ProgramPreset, Programs } from "../../core/program.ts";
import type { ProcessHost } from "../../process/process-host.ts";
import { runProgram } from "../transport/run-program.ts";
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
  processHost: ProcessHost,
  { command, args }: FoundProgram,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const { output } = await runProgram(processHost, { command, args: [...args, "--version"], signal });
  return /^\d+\.\d+\.\d+[\w.-]*/.exec(output.trim())?.[0];
}

/** Rejects with `agent_version` for a program that cannot be spoken with. */
export async function readFlags(
  processHost: ProcessHost,
  { command, args }: FoundProgram,
  signal?: AbortSignal,
): Promise<AmpFlags> {
  const { output } = await runProgram(processHost, { command, args: [...args, "--help"], signal });
  const flags = readHelp(output);
  if (flags.names.has("--stream-json")) return flags;
  throw new InterlinguaError(
    "agent_version",
    `${command} has no --stream-json, so it is no Amp that can be used. Run \`${INSTALL_COMMAND}\`.`,
  );
}
