/** Keeps a map of finished things from growing with the length of a session. */

/** How many finished parts, calls and tasks are remembered for results and retractions that arrive late. */
const FINISHED_KEPT = 256;

export function forgetOldest<Value>(map: Map<string, Value>, isNeeded: (value: Value) => boolean): void {
  if (map.size <= FINISHED_KEPT) return;
  for (const [key, value] of map) {
    if (isNeeded(value)) continue;
    map.delete(key);
    return;
  }
}
