/** Tries something with n = 1, 2, 3… until nothing fails any more because n is beyond the end. */
import { seededRandom } from "../../src/testkit/random.ts";

export interface SweepResult {
  /** How many were tried in which the fault fired. */
  fired: number;
  /** What went wrong, with the n that shows it again. */
  failures: string[];
}

const AT_ONCE = 4;

/** Every n in the long run; otherwise every few, beginning anywhere, so that each comes by in time. */
const STRIDE = Number(process.env.FAULT_STRIDE ?? 8);
const random = seededRandom("faults");

/** `play` tells whether the fault fired. Several are played at once: most of their time they wait for agents. */
export async function sweep(play: (nth: number) => Promise<boolean>): Promise<SweepResult> {
  const result: SweepResult = { fired: 0, failures: [] };
  let next = random.integer(1, STRIDE);
  let isBeyondEnd = false;
  const worker = async () => {
    while (!isBeyondEnd) {
      const nth = next;
      next += STRIDE;
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
