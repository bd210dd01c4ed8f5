/** Two people answer one ask at the same moment from different dialects, a thousand times. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { startDaemon } from "../../src/daemon.ts";
import { seededRandom } from "../../src/testkit/random.ts";
import { raceAnswers } from "../dialects/answer-race.ts";

it("one decides, the other is told who, and the agent gets one answer, 1,000 times", async () => {
  const data = mkdtempSync(join(tmpdir(), "interlingua-answers-"));
  const daemon = await startDaemon({ data, port: 0 });
  try {
    const wins = await raceAnswers({ daemon, sessions: 20, rounds: 50, random: seededRandom("answers") });
    expect([...wins.values()].reduce((total, count) => total + count)).toBe(1000);
  } finally {
    await daemon.close();
    rmSync(data, { recursive: true, force: true });
  }
});
