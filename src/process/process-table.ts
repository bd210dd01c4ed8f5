/** What the operating system knows about running processes. Read-only: nothing here sends a signal. */
import { linuxProcessTable } from "./linux-process-table.ts";
import { psProcessTable } from "./ps-process-table.ts";
import type { RunningProgram } from "./running-program.ts";

/** A pid is reused. Together with its start time it identifies a process. */
export interface ProcessIdentity {
  readonly pid: number;
  /** As the operating system reports it, without blanks. Only for comparison. */
  readonly startTime: string;
}

export interface ProcessEntry extends ProcessIdentity {
  readonly parent: number;
  readonly group: number;
  /** Dead, but not yet reaped by its parent. */
  readonly zombie: boolean;
  /** The value of the marker variable in its environment; only `list` fills it in. */
  readonly marker?: string;
}

/** All methods throw or reject if the table cannot be read, which differs from an empty result. */
export interface ProcessTable {
  /** The process that has this pid now. Synchronous, so that a signal can follow at once. */
  read(pid: number): ProcessEntry | undefined;
  /**
   * All processes. Those of other users may come without their marker, which is `INTERLINGUA_OWNER` unless another
   * variable is named.
   */
  list(markerVariable?: string): Promise<ProcessEntry[]>;
  /** What this process runs; undefined where that cannot be told, as on macOS. */
  program(pid: number): RunningProgram | undefined;
  /**
   * Returns a function that tells a process's age in milliseconds, rounded down if the system has only seconds. Call it
   * soon after our own start.
   */
  startAges(): (process: ProcessIdentity) => number;
}

export const processTable: ProcessTable = process.platform === "linux" ? linuxProcessTable : psProcessTable;

export function isRunning(process: ProcessIdentity): boolean {
  const entry = processTable.read(process.pid);
  return entry !== undefined && !entry.zombie && entry.startTime === process.startTime;
}

export function ownIdentity(): ProcessIdentity {
  const entry = processTable.read(process.pid);
  if (entry === undefined)
    throw new Error("The system does not list this process. Is /proc mounted, or `ps` there?");
  return { pid: entry.pid, startTime: entry.startTime };
}
