/** Whether a daemon is alive, by what it wrote about itself. */
import { isRunning } from "./process-table.ts";

interface NamedDaemon {
  readonly pid: number;
  readonly processStart?: string;
  readonly daemonId?: string;
}

/** `daemonId` is the data directory's: a copy of one names a daemon that uses the original. */
export function isDaemonRunning(named: NamedDaemon, daemonId: string | undefined): boolean {
  const { pid, processStart } = named;
  return (
    processStart !== undefined &&
    named.daemonId !== undefined &&
    named.daemonId === daemonId &&
    isRunning({ pid, startTime: processStart })
  );
}
