/** Microseconds on a clock that all processes of the machine share. Cheap: it is read for every chunk. */
const OFFSET = Number(process.hrtime.bigint()) / 1000 - performance.now() * 1000;

export function clock(): number {
  return performance.now() * 1000 + OFFSET;
}
