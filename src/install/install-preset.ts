/** One installation from beginning to end: beside what is there, and in its place only when it is complete. */
import { mkdir, mkdtemp, open, readdir, rename, rm, statfs } from "node:fs/promises";
import { join } from "node:path";
import { InterlinguaError } from "../core/error.ts";
import type { InstallProgress } from "../core/program.ts";
import type { ProcessHost } from "../process/process-host.ts";
import { isExecutable } from "./find-on-path.ts";
import { takeInstallationLock } from "./installation-lock.ts";
import { installedSize } from "./installed-size.ts";
import type { PresetProgram } from "./preset-folder.ts";
import { runNpm } from "./run-npm.ts";
import { type StagedPreset, stagePreset } from "./stage-preset.ts";

export interface Installation extends StagedPreset {
  readonly version: string;
  /** Holds a folder for each installed version. */
  readonly directory: string;
  /** npm's absolute path. */
  readonly npm: string;
  readonly processHost: ProcessHost;
  readonly signal: AbortSignal;
  onProgress(progress: InstallProgress): void;
}

const LOCK_FILE = "lock.db";
const UNFINISHED = ".unfinished-";

/** An npm process that is being ended may still add a file. */
const REMOVAL = { recursive: true, force: true, maxRetries: 10, retryDelay: 100 } as const;

/** How often the size of what has arrived is looked at. */
const PROGRESS_MS = 500;

/** Whether the version is complete in its folder. */
export function isInstalled(directory: string, version: string, { file }: PresetProgram): Promise<boolean> {
  return isExecutable(join(directory, version, file));
}

/** Does nothing where the version is there already. Rejects with `install_failed` or the signal's reason. */
export async function installPreset(installation: Installation): Promise<void> {
  const { directory, version, program, signal, onProgress } = installation;
  onProgress({ phase: "preparing" });
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const lock = await takeInstallationLock(join(directory, LOCK_FILE), signal);
    try {
      await removeUnfinished(directory);
      if (!(await isInstalled(directory, version, program))) await installBeside(installation);
    } finally {
      lock.release();
    }
  } catch (error) {
    signal.throwIfAborted();
    throw explainFailure(error);
  }
}

/** We hold the lock, so these were left by a process that was killed. */
async function removeUnfinished(directory: string): Promise<void> {
  const names = (await readdir(directory)).filter((name) => name.startsWith(UNFINISHED));
  for (const name of names) await rm(join(directory, name), REMOVAL);
}

async function installBeside(installation: Installation): Promise<void> {
  const { directory, version, program, onProgress } = installation;
  await assertFreeSpace(directory, program);
  const staging = await mkdtemp(join(directory, UNFINISHED));
  try {
    await stagePreset(installation, staging);
    const stopWatching = watchProgress(staging, installation);
    await runNpm({ ...installation, directory: staging }).finally(stopWatching);
    onProgress({ phase: "finishing", bytes: program.bytes, total: program.bytes });
    await assertComplete(staging, program);
    await makeDurable(join(staging, program.file));
    const target = join(directory, version);
    // A folder without its program: somebody removed that.
    await rm(target, REMOVAL);
    await rename(staging, target);
  } catch (error) {
    await rm(staging, REMOVAL);
    throw error;
  }
}

function watchProgress(staging: string, { program, onProgress }: Installation): () => void {
  const total = program.bytes;
  let isOver = false;
  let timer: NodeJS.Timeout;
  const look = async () => {
    const bytes = await installedSize(staging);
    if (isOver) return;
    onProgress({ phase: "downloading", bytes: Math.min(bytes, total), total });
    timer = setTimeout(look, PROGRESS_MS);
  };
  void look();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

async function assertFreeSpace(directory: string, { bytes }: PresetProgram): Promise<void> {
  const { bavail, bsize } = await statfs(directory);
  if (bavail * bsize > bytes) return;
  const sizes = `${megabytes(bytes)} MB are needed and ${megabytes(bavail * bsize)} MB are free`;
  throw failed(`the disk is full: ${sizes}. Free some space where the data directory is`);
}

/** npm does not notice a full disk: it leaves truncated files and reports success. */
async function assertComplete(staging: string, { bytes }: PresetProgram): Promise<void> {
  const arrived = await installedSize(staging);
  if (arrived === bytes) return;
  throw failed(
    `what arrived is not whole, ${arrived} of ${bytes} bytes. Look whether the disk is full, and try again`,
  );
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 1_000_000);
}

/** A folder that is in its place after a power cut must not hold an empty program. */
async function makeDurable(file: string): Promise<void> {
  const handle = await open(file, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function explainFailure(error: unknown): unknown {
  if (InterlinguaError.isInstance(error)) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "ENOSPC")
    return failed("the disk is full. Free some space where the data directory is", error);
  return failed(`the data directory cannot be used (${message}). Check who owns it`, error);
}

function failed(reason: string, cause?: unknown): InterlinguaError {
  return new InterlinguaError("install_failed", `Nothing was installed: ${reason}.`, { cause });
}
