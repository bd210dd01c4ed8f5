/** Whether a process is the one that somebody wrote about earlier. */
import { processTable } from "./process-table.ts";

/** How much clocks may differ. */
const SLACK_MS = 10_000;

/** Whether the process with this pid runs and did so at `time`: pids are used again. Yes if that cannot be known. */
export function isRunningSince(pid: number, time: number): boolean {
  try {
    const entry = processTable.read(pid);
    if (entry === undefined || entry.zombie) return false;
    return Date.now() - processTable.startAges()(entry) <= time + SLACK_MS;
  } catch {
    return true;
  }
}
