/** Tries something with n = 1, 2, 3… until nothing fails any more because n is beyond the end. */
import { seededRandom } from "../../src/testkit/random.ts";

export interface SweepResult {
  /** How many were tried in which the fault fired. */
  fired: number;
  /** What went wrong, with the n that shows it again. */
  failures: string[];
}

const AT_ONCE = 4;

/** Every n in the long run (`FAULTS=all`); otherwise about every eighth, beginning anywhere, so that each comes by in time. */
const isComplete = process.env.FAULTS === "all";
const random = seededRandom("faults");

export const EVERY_EIGHTH = (nth: number) => nth + 8;
/** For what happens hundreds of times and is slow to try: 1, 2, 4, 6, 9, 14, 21… */
export const EVER_RARER = (nth: number) => Math.ceil(nth * 1.5);

/** `play` tells whether the fault fired. Several are played at once: most of their time they wait for agents. */
export async function sweep(
  play: (nth: number) => Promise<boolean>,
  step = EVERY_EIGHTH,
): Promise<SweepResult> {
  const result: SweepResult = { fired: 0, failures: [] };
  let next = isComplete ? 1 : random.integer(1, step(1) - 1);
  let isBeyondEnd = false;
  const worker = async () => {
    while (!isBeyondEnd) {
      const nth = next;
      next = isComplete ? nth + 1 : step(nth);
      try {
        if (await play(nth)) result.fired += 1;
        else isBeyondEnd = true;
      } catch (error) {
        result.failures.push(`n = ${nth}: ${(error as Error).message}`);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return result;
}
