/** When each event comes in a replay: as it was, but nobody waits long for a pause. Pure. */

/** A longer pause between two events is as long as this, in milliseconds at the speed it was. */
export const MAX_PAUSE_MS = 2000;

/** The time of each event since the first one. */
export function replayTimes(events: readonly { at: number }[]): number[] {
  let time = 0;
  return events.map(({ at }, index) => {
    const before = events[index - 1]?.at ?? at;
    time += Math.min(Math.max(at - before, 0), MAX_PAUSE_MS);
    return time;
  });
}

/** How many of the events have happened by then. */
export function countUntil(times: readonly number[], time: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle]! <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}
