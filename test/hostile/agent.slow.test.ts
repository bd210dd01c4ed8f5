/** A short run of the hostile agent. `SEED=…` plays it again; `npm run test:long` plays more and larger. */
import { it } from "vitest";
import { seededRandom } from "../../src/testkit/random.ts";
import { playHostileAgent } from "./play-hostile-agent.ts";

it("a hostile agent harms nobody but itself", async () => {
  await playHostileAgent(seededRandom("hostile agent"), { sessions: 3, turns: 4, maxBytes: 4_000_000 });
});
