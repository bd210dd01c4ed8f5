/** The hostile agent and the hostile client, longer and larger than in `npm test`. */
import { it } from "vitest";
import { seededRandom } from "../../src/testkit/random.ts";
import { playHostileAgent } from "../hostile/play-hostile-agent.ts";
import { playHostileClient } from "../hostile/play-hostile-client.ts";

it("a hostile agent with values beyond every limit harms nobody but itself", async () => {
  const random = seededRandom("hostile agent");
  for (let round = 0; round < 5; round += 1)
    await playHostileAgent(random, { sessions: 3, turns: 6, maxBytes: 80_000_000 });
});

it("a hostile client with bodies beyond the limit changes nothing with what is refused", async () => {
  await playHostileClient(seededRandom("hostile client"), { rounds: 60, maxBytes: 40_000_000 });
});
