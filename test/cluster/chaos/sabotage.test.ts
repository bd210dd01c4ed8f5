/** A chaos run notices each of five ways to break what it is there to prove. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { seededRandom } from "../../../src/testkit/random.ts";
import { startPostgres, type TestPostgres } from "../../postgres/start-postgres.ts";
import type { ViolationKind } from "./check-history.ts";
import { runChaos } from "./run-chaos.ts";
import type { Sabotage } from "./sabotage.ts";

/** What is seen of it, one of these at least. */
const CAUGHT: [Sabotage, ViolationKind[]][] = [
  ["no epoch", ["fenced"]],
  ["no head", ["twice", "gap"]],
  ["neither", ["fenced", "twice", "gap"]],
  ["error means not written", ["acknowledged"]],
  ["acknowledge in doubt", ["acknowledged"]],
];

/** A sabotage shows only when the faults meet it; mostly the first run does. On a busy machine little happens in one. */
const MAX_RUNS = 24;
const FAULTS_MS = 5000;

let postgres: TestPostgres;

beforeAll(async () => {
  postgres = await startPostgres();
});

afterAll(() => postgres[Symbol.asyncDispose]());

it.each(CAUGHT)("%s", { timeout: 400_000 }, async (sabotage, kinds) => {
  const { seed } = seededRandom(sabotage);
  const caught: string[] = [];
  for (let run = 0; run < MAX_RUNS && caught.length === 0; run += 1) {
    const { violations } = await runChaos(postgres, {
      seed: seed + run,
      sabotage,
      faultsMs: FAULTS_MS,
      crashes: 0,
      patienceMs: 1000,
    });
    console.log(`${sabotage}: run ${run + 1}: ${[...new Set(violations.map(({ kind }) => kind))]}`);
    caught.push(...violations.filter(({ kind }) => kinds.includes(kind)).map(({ detail }) => detail));
  }
  expect(caught).not.toEqual([]);
});
