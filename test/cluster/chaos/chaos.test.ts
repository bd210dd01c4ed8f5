/**
 * Nodes that write as fast as they may, most of which look at no deadline, while they are killed and stopped, their
 * connections are cut, stalled and lose answers, and PostgreSQL crashes: what is promised holds. `CHAOS_SEEDS` makes more
 * runs, `CHAOS_SECONDS` longer ones, `SEED` begins with a certain one.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { seededRandom } from "../../../src/testkit/random.ts";
import { startPostgres, type TestPostgres } from "../../postgres/start-postgres.ts";
import { runChaos } from "./run-chaos.ts";

const RUNS = Number(process.env.CHAOS_SEEDS ?? 2);
const SECONDS = Number(process.env.CHAOS_SECONDS ?? 12);

let postgres: TestPostgres;

beforeAll(async () => {
  postgres = await startPostgres();
});

afterAll(() => postgres[Symbol.asyncDispose]());

it(
  "no gap, no event twice, no writer after a later claim, nothing lost that was acknowledged or seen, and all goes on",
  async () => {
    const { seed } = seededRandom("chaos");
    for (let run = 0; run < RUNS; run += 1) {
      const outcome = await runChaos(postgres, { seed: seed + run, faultsMs: SECONDS * 1000 });
      console.log(`chaos: SEED=${seed + run} ${JSON.stringify(outcome.counts)}`);
      expect({ seed: seed + run, ...outcome, counts: undefined }).toEqual({
        seed: seed + run,
        violations: [],
        problems: [],
        counts: undefined,
      });
      expect(outcome.counts.events).toBeGreaterThan(100);
      expect(outcome.counts.claims).toBeGreaterThan(10);
    }
  },
  RUNS * (SECONDS * 1000 + 60_000),
);
