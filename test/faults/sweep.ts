/** Tries something with n = 1, 2, 3… until nothing fails any more because n is beyond the end. */
import { seededRandom } from "../../src/testkit/random.ts";

export interface SweepResult {
  /** How many were tried in which the fault fired. */
  fired: number;
  /** What went wrong, with the n that shows it again. */
  failures: string[];
}

const AT_ONCE = 4;

/** Which n comes after an n: in the long run (`FAULTS=all`), and otherwise. */
export interface Steps {
  all(nth: number): number;
  usual(nth: number): number;
}

/** Every n, or about every sixteenth, beginning anywhere, so that each comes by in time. */
export const DENSE: Steps = { all: (nth) => nth + 1, usual: (nth) => nth + 16 };
/** For what happens hundreds of times and is slow to try: 1, 2, 4, 6, 9, 14, 21… */
export const SPARSE: Steps = { all: (nth) => nth + 5, usual: (nth) => Math.ceil(nth * 1.7) };

const random = seededRandom("faults");

/** `play` tells whether the fault fired. Several are played at once: most of their time they wait for agents. */
export async function sweep(
  play: (nth: number) => Promise<boolean>,
  steps: Steps = DENSE,
): Promise<SweepResult> {
  const result: SweepResult = { fired: 0, failures: [] };
  const step = process.env.FAULTS === "all" ? steps.all : steps.usual;
  let first = random.integer(1, step(1) - 1);
  let next = first;
  let isBeyondEnd = false;
  const worker = async () => {
    while (!isBeyondEnd) {
      const nth = next;
      next = step(nth);
      try {
        if (await play(nth)) result.fired += 1;
        else isBeyondEnd = true;
      } catch (error) {
        const failure = `n = ${nth}: ${(error as Error).message}`;
        // Also at once: a long sweep may be cut short.
        console.error(failure);
        result.failures.push(failure);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  // What happens a few times only may be over before the first n: then a smaller one is tried.
  while (result.fired === 0 && result.failures.length === 0 && first > 1) {
    first = Math.ceil(first / 2);
    next = first;
    isBeyondEnd = false;
    await worker();
  }
  return result;
}
