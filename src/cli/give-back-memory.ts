/** Gives back what starting took: compiling and loading leave a heap that is mostly empty, and V8 keeps it. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** So long hardly anything happens before it is done. */
const QUIET_MS = 500;
/** The part of that time in which something may happen all the same. */
const QUIET_UTILIZATION = 0.02;

type Collect = (options: { type: "major"; execution: "sync"; flavor: "last-resort" }) => void;

/** Once, at the first quiet moment: it takes some ten milliseconds, in which nothing else is done. */
export function giveBackMemoryWhenQuiet(): void {
  let before = performance.eventLoopUtilization();
  const timer = setInterval(() => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, before);
    before = now;
    if (utilization > QUIET_UTILIZATION) return;
    clearInterval(timer);
    giveBackMemory();
  }, QUIET_MS);
  timer.unref();
}

function giveBackMemory(): void {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as Collect;
  collect({ type: "major", execution: "sync", flavor: "last-resort" });
}
