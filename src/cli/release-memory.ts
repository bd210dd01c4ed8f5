/** Returns memory after the start and after bursts: V8 keeps the mostly empty heap they leave. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** How long the daemon has to be quiet first. */
const QUIET_MS = 500;
/** The share of that time in which it may be busy all the same. */
const QUIET_UTILIZATION = 0.02;
/** The growth since the last time that makes it worthwhile. */
const WORTH_BYTES = 48 * 1024 * 1024;

type Collect = (options: { type: "major"; execution: "sync"; flavor: "last-resort" }) => void;

/** Runs at the first quiet moment and then after every burst. It blocks for about ten milliseconds. */
export function releaseMemoryWhenIdle(): void {
  let before = performance.eventLoopUtilization();
  /** The size after the last time. */
  let floor = 0;
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    if (utilization > QUIET_UTILIZATION) return;
    const resident = residentBytes();
    if (resident < floor) floor = resident;
    if (resident < floor + WORTH_BYTES) return;
    giveBackMemory();
    floor = residentBytes();
  }, QUIET_MS);
  timer.unref();
}

/** 0 if unknown: it is read from a file, and there may be no descriptor left to open one. */
function residentBytes(): number {
  try {
    return process.memoryUsage.rss();
  } catch {
    return 0;
  }
}

function giveBackMemory(): void {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as Collect;
  collect({ type: "major", execution: "sync", flavor: "last-resort" });
}
