/** Of two keys that are pressed at once the second was not meant for the ask that comes next. */

/** As long as somebody needs to see that another one is there. */
const PAUSE_MS = 400;

let answeredAt = Number.NEGATIVE_INFINITY;

export function noteAnswer(): void {
  answeredAt = performance.now();
}

/** For how long keys answer nothing yet. */
export function pauseAfterAnswer(): number {
  return Math.max(0, answeredAt + PAUSE_MS - performance.now());
}
