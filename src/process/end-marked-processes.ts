/** Ends processes by the mark in their environment, whatever they did to their group, session or parent. */
import { endProcesses } from "./end-processes.ts";
import { daemonOf, ownerOf } from "./owner-marker.ts";
import { isRunning } from "./process-table.ts";

export interface EndMarkedOptions {
  /** Whose processes to end; the owner is `<daemonId>` or `<daemonId>/<sessionId>`. */
  readonly owner: (owner: string) => boolean;
  /** Markers of processes to leave alone. */
  readonly except?: ReadonlySet<string>;
  /** The time between SIGTERM and SIGKILL. */
  readonly graceMs?: number;
}

/**
 * Resolves with the pids it ended when all of them are gone. Processes of another daemon that is alive are never
 * ended, whatever `owner` says: they are that daemon's to look after.
 *
 * @example await endMarkedProcesses({ owner: (owner) => belongsToDaemon(owner, daemonId) });
 */
export async function endMarkedProcesses(options: EndMarkedOptions): Promise<number[]> {
  return endProcesses({
    graceMs: options.graceMs ?? 500,
    select: (entries) =>
      entries.filter(
        ({ zombie, marker }) =>
          marker !== undefined &&
          !zombie &&
          !options.except?.has(marker) &&
          options.owner(ownerOf(marker)) &&
          isOursOrOrphaned(marker),
      ),
  });
}

/** Whether the daemon that started it is this process, or dead. */
export function isOursOrOrphaned(marker: string): boolean {
  const daemon = daemonOf(marker);
  return daemon !== undefined && (daemon.pid === process.pid || !isRunning(daemon));
}
