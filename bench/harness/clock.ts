/** Microseconds on a clock that all processes of the machine share. Cheap: it is read for every chunk. */

/** What the system's clock is ahead of this process's. */
const OFFSET = Math.max(...Array.from({ length: 100 }, sampleOffset));

export function clock(): number {
  return performance.now() * 1000 + OFFSET;
}

/** Too small by the time between the two readings, which is a millisecond for the first and almost nothing for the best. */
function sampleOffset(): number {
  const system = Number(process.hrtime.bigint()) / 1000;
  return system - performance.now() * 1000;
}
