import { expect, it } from "vitest";
import { killDuringBurst } from "./random-kill.ts";

const KILLS = 50;

/** Small and good enough; the seed is printed so that a run can be repeated. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

it(`nothing anyone saw is gone after ${KILLS} kills at random points of a burst`, async () => {
  const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31);
  console.log(`SEED=${seed}`);
  const random = randomFrom(seed);
  for (let kill = 0; kill < KILLS; kill += 1) {
    const { seen, stored } = await killDuringBurst(random);
    expect(stored).toBeGreaterThanOrEqual(seen);
  }
});
