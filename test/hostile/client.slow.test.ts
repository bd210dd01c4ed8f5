/** A short run of the hostile client. `SEED=…` plays it again; `npm run test:long` plays more and larger. */
import { it } from "vitest";
import { seededRandom } from "../../src/testkit/random.ts";
import { playHostileClient } from "./play-hostile-client.ts";

it("a hostile client gets refusals, and changes nothing with them", async () => {
  await playHostileClient(seededRandom("hostile client"), { rounds: 12, maxBytes: 200_000 });
});
