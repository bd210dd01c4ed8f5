/** Ends processes by the mark in their environment, whatever they did to their group, session or parent. */
import { endProcesses } from "./end-processes.ts";
import { ownerOf } from "./owner-marker.ts";

export interface SweepOptions {
  /** Whose processes to end; the owner is `<daemonId>` or `<daemonId>/<sessionId>`. */
  readonly owner: (owner: string) => boolean;
  /** Pids to leave alone. */
  readonly except?: readonly number[];
  /** The time between SIGTERM and SIGKILL. */
  readonly graceMs?: number;
}

/**
 * Resolves with the pids it ended when all of them are gone.
 *
 * @example await sweepProcesses({ owner: (owner) => belongsToDaemon(owner, daemonId) });
 */
export async function sweepProcesses(options: SweepOptions): Promise<number[]> {
  const except = new Set(options.except);
  return endProcesses({
    graceMs: options.graceMs ?? 500,
    select: (entries) =>
      entries.filter(
        ({ pid, zombie, marker }) =>
          marker !== undefined && !zombie && !except.has(pid) && options.owner(ownerOf(marker)),
      ),
  });
}
