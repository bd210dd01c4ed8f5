/** What the operating system knows about running processes. Reading only; nothing here sends a signal. */
import { linuxProcessTable } from "./linux-process-table.ts";
import { psProcessTable } from "./ps-process-table.ts";
import type { RunningProgram } from "./running-program.ts";

/** A pid alone names nobody for long: it is given out again. Together with its start time it does. */
export interface ProcessIdentity {
  readonly pid: number;
  /** As the operating system tells it, without blanks; only good for comparing. */
  readonly startTime: string;
}

export interface ProcessEntry extends ProcessIdentity {
  readonly parent: number;
  readonly group: number;
  /** Dead, but its parent has not asked for its exit code yet. */
  readonly zombie: boolean;
  /** The value of `INTERLINGUA_OWNER` in its environment; only `list` fills it in. */
  readonly marker?: string;
}

/** All reject or throw when they cannot look, which is not the same as seeing nothing. */
export interface ProcessTable {
  /** The process that has this pid now. Synchronous, so that nothing of ours happens between a look and a signal. */
  read(pid: number): ProcessEntry | undefined;
  /** All processes. Those of other users may come without their marker. */
  list(): Promise<ProcessEntry[]>;
  /** What this process runs; undefined where that cannot be told, as on macOS. */
  program(pid: number): RunningProgram | undefined;
  /**
   * Gives what tells how many milliseconds ago a process was started, at the least where the system tells only seconds.
   * To be called soon after our own start.
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
