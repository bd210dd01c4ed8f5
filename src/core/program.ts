/** The port to programs: where an agent's executable is found, and how a pinned one gets onto this machine. */
import { InterlinguaError } from "./error.ts";

/** What may be installed for an agent: one exact version of a package, checked against its integrity. */
export interface ProgramPreset {
  /** The agent's name; also the name of its folder in the data directory. */
  readonly agent: string;
  /** The executable's name on the PATH. */
  readonly executable: string;
  /** The npm package and the version our translators were built on. */
  readonly package: string;
  readonly version: string;
}

export interface FoundProgram {
  readonly command: string;
  /** Arguments that belong to the command, before the agent's own. */
  readonly args: readonly string[];
  readonly from: "config" | "installed" | "path";
}

export interface InstallProgress {
  readonly phase: "preparing" | "downloading" | "finishing";
  /** Bytes that have arrived, and how many are expected where that is known. */
  readonly bytes?: number;
  readonly total?: number;
}

export interface Programs {
  /**
   * The program to run: the configured one, else the one installed in the data directory, else the one on the PATH.
   * Undefined when there is none. A configured one that does not exist is an error: it rejects and names the setting.
   */
  find(preset: ProgramPreset): Promise<FoundProgram | undefined>;
  /**
   * Installs the preset's version into the data directory and returns it. Does nothing if it is installed. Concurrent
   * calls share one installation. On failure what was there before is untouched.
   */
  install(
    preset: ProgramPreset,
    options?: { signal?: AbortSignal; onProgress?(progress: InstallProgress): void },
  ): Promise<FoundProgram>;
}

/** The preset of an agent. Throws `unsupported` if it has none. */
export function requirePreset({
  name,
  program,
}: {
  readonly name: string;
  readonly program?: ProgramPreset;
}): ProgramPreset {
  if (program) return program;
  throw new InterlinguaError("unsupported", `${name} comes with Interlingua: there is nothing to install.`);
}

/** The file of an installed program: a script or an executable. */
export function programFile({ command, args }: FoundProgram): string {
  return args.at(-1) ?? command;
}
