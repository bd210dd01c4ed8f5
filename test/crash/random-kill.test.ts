import { expect, it } from "vitest";
import { seededRandom } from "../../src/testkit/random.ts";
import { killDuringBurst } from "./random-kill.ts";

const KILLS = 50;

it(`nothing anyone saw is gone after ${KILLS} kills at random points of a burst`, async () => {
  const random = seededRandom("random kills");
  for (let kill = 0; kill < KILLS; kill += 1) {
    const { seen, stored } = await killDuringBurst(() => random.next());
    expect(stored).toBeGreaterThanOrEqual(seen);
  }
});
