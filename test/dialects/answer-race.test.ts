/** A sample of test/faults/answer-race.test.ts. */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Daemon, startDaemon } from "../../src/daemon.ts";
import { seededRandom } from "../../src/testkit/random.ts";
import { raceAnswers } from "./answer-race.ts";

let daemon: Daemon;

beforeAll(async () => {
  daemon = await startDaemon({ data: ":memory:", port: 0 });
});

afterAll(() => daemon.close());

it("two people answer one ask at the same moment: one decides, the other is told who", async () => {
  const wins = await raceAnswers({ daemon, sessions: 6, rounds: 17, random: seededRandom("answers") });
  expect(wins.size, "each dialect is first at times").toBe(4);
}, 60_000);
