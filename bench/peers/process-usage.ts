/** What the system tells about a process. Linux only; elsewhere the figures are not a number. */
import { readFileSync } from "node:fs";

/** The clock ticks of Linux, whatever the kernel's own frequency. */
const TICKS_PER_SECOND = 100;

/** Its processor time so far, in microseconds. */
export function cpuOf(pid: number): number {
  const fields = read(`/proc/${pid}/stat`).split(") ").at(-1)?.split(" ") ?? [];
  return ((Number(fields[11]) + Number(fields[12])) * 1e6) / TICKS_PER_SECOND;
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
