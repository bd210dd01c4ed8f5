/** Gives back what starting and bursts took: they leave a heap that is mostly empty, and V8 keeps it. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** So long hardly anything happens before it is done. */
const QUIET_MS = 500;
/** The part of that time in which something may happen all the same. */
const QUIET_UTILIZATION = 0.02;
/** What has to have come on top since the last time to make it worth while. */
const WORTH_BYTES = 48 * 1024 * 1024;

type Collect = (options: { type: "major"; execution: "sync"; flavor: "last-resort" }) => void;

/** At the first quiet moment, and then after every burst: it takes some ten milliseconds, in which nothing else is done. */
export function releaseMemoryWhenIdle(): void {
  let before = performance.eventLoopUtilization();
  /** What was left the last time. */
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

/** 0 where it cannot be told: it is read from a file, and there may be no descriptor left to open one. */
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
