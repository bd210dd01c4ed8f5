/** What the system tells about a process. Linux only; elsewhere the figures are not a number. */
import { readFileSync } from "node:fs";

/** The clock ticks of Linux, whatever the kernel's own frequency. */
const TICKS_PER_SECOND = 100;

/** Its processor time so far, in microseconds. */
export function cpuOf(pid: number): number {
  return sumOfTicks(pid, [11, 12]);
}

/** With that of the processes it has started and that have ended. */
export function cpuWithChildrenOf(pid: number): number {
  return sumOfTicks(pid, [11, 12, 13, 14]);
}

function sumOfTicks(pid: number, places: readonly number[]): number {
  const fields = read(`/proc/${pid}/stat`).split(") ").at(-1)?.split(" ") ?? [];
  return places.reduce((sum, place) => sum + (Number(fields[place]) * 1e6) / TICKS_PER_SECOND, 0);
}

export function memoryOf(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(read(`/proc/${pid}/status`))?.[1]) * 1024;
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
