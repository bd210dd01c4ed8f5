/** Opens the data directory for one daemon: its lock, its id, and the end of what an earlier daemon left behind. */
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Logger } from "pino";
import { keepDaemonId, readDaemonId, readPlainDaemonId } from "./config/daemon-id.ts";
import { IN_MEMORY } from "./config/data-location.ts";
import { isDaemonRunning } from "./process/daemon-running.ts";
import { endMarkedProcesses } from "./process/end-marked-processes.ts";
import { findMarkedProcesses } from "./process/marked-processes.ts";
import { belongsToDaemon } from "./process/owner-marker.ts";
import { ownIdentity } from "./process/process-table.ts";
import { findUnsignedLeftovers } from "./process/unsigned-leftovers.ts";
import {
  acquireDataDirectoryLock,
  type DataDirectoryLock,
  DataDirectoryLockedError,
} from "./store/sqlite/data-directory-lock.ts";

export interface DataDirectory {
  /** Where agents may keep files of their own. */
  readonly path: string;
  /** A folder for what nobody needs after this daemon. Who puts something there makes it, and removes that again. */
  readonly temporary: string;
  /** The mark of every process we start. */
  readonly daemonId: string;
  /** Absent for one that goes with the daemon. */
  readonly lock?: DataDirectoryLock;
}

const TEMPORARY = "temporary";

/** Nothing of another daemon is touched before its lock is ours. */
export function openDataDirectory(
  data: string,
  about: { version: string; logger: Logger },
  opened: AsyncDisposableStack,
): DataDirectory {
  if (data === IN_MEMORY) {
    const directory = mkdtempSync(join(tmpdir(), "interlingua-"));
    opened.defer(() => rmSync(directory, { recursive: true, force: true }));
    return { path: directory, temporary: join(directory, TEMPORARY), daemonId: randomUUID() };
  }
  const lock = lockDirectory(data, about);
  opened.defer(() => lock.release());
  const daemonId = keepDaemonId(data);
  lock.update({ daemonId });
  return { path: data, temporary: join(data, TEMPORARY), daemonId, lock };
}

function lockDirectory(
  directory: string,
  { version, logger }: { version: string; logger: Logger },
): DataDirectoryLock {
  const { pid, startTime } = ownIdentity();
  const owner = { pid, processStart: startTime, startedAt: Date.now(), version };
  try {
    return acquireDataDirectoryLock(directory, owner, {
      isOwnerRunning: (named) => isDaemonRunning(named, readDaemonId(directory)),
      onDisturbed: (message) => logger.error(message),
    });
  } catch (error) {
    if (error instanceof DataDirectoryLockedError) throw error;
    const reason = (error as Error).message;
    throw new Error(`The data directory cannot be used (${reason}). Choose another with --data.`, {
      cause: error,
    });
  }
}

/** We hold the lock of the data directory, so whatever carries its mark belongs to a daemon that is dead. */
export async function endLeftovers(
  { path: directory, temporary, daemonId }: DataDirectory,
  logger: Logger,
): Promise<void> {
  const { leftover, livingDaemon } = await findMarkedProcesses(daemonId);
  // The lock was removed under a living daemon.
  if (livingDaemon) throw new DataDirectoryLockedError(directory, { pid: livingDaemon.pid });
  await tellUnsignedLeftovers(directory, logger);
  if (leftover.length > 0) await endProcesses(daemonId, logger);
  await rm(temporary, { recursive: true, force: true }).catch((error: unknown) =>
    logger.warn({ err: error }, "could not remove all temporary files that an earlier daemon left"),
  );
}

async function endProcesses(daemonId: string, logger: Logger): Promise<void> {
  try {
    const pids = await endMarkedProcesses({ owner: (owner) => belongsToDaemon(owner, daemonId) });
    if (pids.length > 0) logger.warn({ pids }, "ended processes that an earlier daemon left running");
  } catch (error) {
    // Something that cannot be killed, stuck in the kernel say, is no reason to refuse all other work.
    logger.error({ err: error }, "could not end all processes that an earlier daemon left running");
  }
}

async function tellUnsignedLeftovers(directory: string, logger: Logger): Promise<void> {
  const id = readPlainDaemonId(directory);
  const pids = id === undefined ? [] : await findUnsignedLeftovers(id);
  if (pids.length === 0) return;
  const remedy = "end them by hand, unless this data directory is a copy and they belong to the original";
  logger.warn({ pids }, `a daemon of an earlier version left processes running: ${remedy}`);
}
