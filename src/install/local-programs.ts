/** The programs of agents on this machine: found by config, data directory and PATH, and installed with npm. */
import { join } from "node:path";
import { InterlinguaError } from "../core/error.ts";
import type { FoundProgram, InstallProgress, ProgramPreset, Programs } from "../core/program.ts";
import type { ProcessHost } from "../process/process-host.ts";
import { findOnPath, isExecutable } from "./find-on-path.ts";
import { installPreset, isInstalled } from "./install-preset.ts";
import { platformName } from "./platform.ts";
import {
  PRESETS_DIRECTORY,
  type PresetProgram,
  readPresetPackages,
  readProgramFor,
} from "./preset-folder.ts";
import { SharedWork } from "./shared-work.ts";

/** What the config says about an agent's program. */
export interface ProgramSettings {
  /** The program and arguments that come before the agent's own. */
  readonly command?: string | readonly string[];
  readonly install?: "auto" | "never";
}

export interface LocalProgramsOptions {
  readonly processHost: ProcessHost;
  /** Absent if nothing is kept: then nothing is found or installed there. */
  readonly dataDirectory?: string;
  /** Where programs are looked for, as in `PATH`. */
  readonly searchPath: string;
  /** By the agent's name. */
  readonly settings?: Readonly<Record<string, ProgramSettings>>;
  /** Our own presets when absent. */
  readonly presetsDirectory?: string;
}

export interface LocalPrograms extends Programs {
  /** Ends installations that are under way; what they have made so far is removed. */
  close(): Promise<void>;
}

/**
 * @example
 * const programs = createPrograms({ processHost, dataDirectory, searchPath: searchPath(process.env) });
 * const program = (await programs.find(preset)) ?? (await programs.install(preset));
 */
export function createPrograms(options: LocalProgramsOptions): LocalPrograms {
  const { processHost, dataDirectory, searchPath, settings = {} } = options;
  const presetsDirectory = options.presetsDirectory ?? PRESETS_DIRECTORY;
  const platform = platformName();
  const installations = new SharedWork<FoundProgram, InstallProgress>();

  const directoryOf = (agent: string, data: string) => join(data, "agents", agent, "program");
  const folderOf = ({ agent }: ProgramPreset) => join(presetsDirectory, agent);

  async function findInstalled(preset: ProgramPreset): Promise<FoundProgram | undefined> {
    if (dataDirectory === undefined) return undefined;
    const program = await readProgramFor(folderOf(preset), platform);
    const directory = directoryOf(preset.agent, dataDirectory);
    if (!program || !(await isInstalled(directory, preset.version, program))) return undefined;
    return installedProgram(directory, preset, program);
  }

  async function install(
    preset: ProgramPreset,
    signal: AbortSignal,
    onProgress: (progress: InstallProgress) => void,
  ): Promise<FoundProgram> {
    if (dataDirectory === undefined) throw nothingKept();
    const program = await readProgramFor(folderOf(preset), platform);
    if (!program) throw noProgramFor(platform, preset);
    const npm = await findOnPath("npm", searchPath);
    if (npm === undefined) throw npmMissing(preset);
    const directory = directoryOf(preset.agent, dataDirectory);
    await installPreset({
      packages: await readPresetPackages(folderOf(preset)),
      program,
      platform,
      version: preset.version,
      directory,
      npm,
      processHost,
      signal,
      onProgress,
    });
    return installedProgram(directory, preset, program);
  }

  return {
    async find(preset) {
      const { command } = settings[preset.agent] ?? {};
      if (command !== undefined) return findConfigured(preset.agent, command, searchPath);
      const installed = await findInstalled(preset);
      if (installed) return installed;
      const path = await findOnPath(preset.executable, searchPath);
      return path === undefined ? undefined : { command: path, args: [], from: "path" };
    },
    async install(preset, caller) {
      refuseUnwanted(preset.agent, settings[preset.agent]);
      return installations.join(
        preset.agent,
        (signal, onProgress) => install(preset, signal, onProgress),
        caller,
      );
    },
    close: () =>
      installations.close(
        new InterlinguaError("shutting_down", "The daemon is shutting down. Try again when it is back."),
      ),
  };
}

/** Scripts run on our own Node: the one on the PATH may be too old for them. */
function installedProgram(
  directory: string,
  { version }: ProgramPreset,
  { file }: PresetProgram,
): FoundProgram {
  const path = join(directory, version, file);
  return /\.[cm]?js$/.test(file)
    ? { command: process.execPath, args: [path], from: "installed" }
    : { command: path, args: [], from: "installed" };
}

async function findConfigured(
  agent: string,
  given: string | readonly string[],
  searchPath: string,
): Promise<FoundProgram> {
  const [program = "", ...args] = typeof given === "string" ? [given] : given;
  const isPath = program.includes("/");
  const command = isPath ? program : await findOnPath(program, searchPath);
  if (command !== undefined && (!isPath || (await isExecutable(command)))) {
    return { command, args, from: "config" };
  }
  const where = isPath ? "is not an executable file" : "was not found on the PATH";
  const detail = `The program of ${agent}, "${program}", ${where}. Correct agents.${agent}.command in the config file.`;
  throw new InterlinguaError("agent_failed", detail);
}

function refuseUnwanted(agent: string, { command, install }: ProgramSettings = {}): void {
  const setting =
    command !== undefined
      ? `agents.${agent}.command names another program`
      : `agents.${agent}.install is "never"`;
  if (command === undefined && install !== "never") return;
  throw new InterlinguaError(
    "unsupported",
    `${agent} is not installed: ${setting}. Take that out of the config file first.`,
  );
}

function nothingKept(): InterlinguaError {
  return new InterlinguaError("install_failed", "Nothing is kept here. Give a data directory with --data.");
}

function noProgramFor(platform: string, { agent, package: name, version }: ProgramPreset): InterlinguaError {
  const detail = `${name} ${version} has no program for ${platform}. Install ${agent} in another way and name it in agents.${agent}.command of the config file.`;
  return new InterlinguaError("install_failed", detail);
}

function npmMissing({ agent, package: name, version }: ProgramPreset): InterlinguaError {
  const detail = `npm was not found on the PATH. Install Node.js with npm, or get ${name} ${version} in another way and name it in agents.${agent}.command of the config file.`;
  return new InterlinguaError("install_failed", detail);
}
