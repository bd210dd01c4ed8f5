/** Long work that lets others have their turn: a generator that yields wherever it can be interrupted. */
import type { TimeSlices } from "./time-slices.ts";

export type Steps<Result> = Generator<undefined, Result, undefined>;

/** All of it at once. */
export function finish<Result>(steps: Steps<Result>): Result {
  while (true) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** With a pause for the event loop wherever it has taken long enough. */
export async function finishInSlices<Result>(steps: Steps<Result>, slices: TimeSlices): Promise<Result> {
  while (true) {
    const { done, value } = steps.next();
    if (done) return value;
    const pause = slices.pause();
    if (pause) await pause;
  }
}
