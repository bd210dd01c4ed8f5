/** A sample of the long crash suite (npm run test:crash), so that a broken promise shows at once. */
import { expect, it } from "vitest";
import { killDuringBurst } from "./crash/random-kill.ts";

it("nothing anyone saw is gone after kill -9 in the middle of a burst", { timeout: 120_000 }, async () => {
  const { seen, stored } = await killDuringBurst(() => 0.4);
  expect(seen).toBeGreaterThan(0);
  expect(stored).toBeGreaterThanOrEqual(seen);
});
