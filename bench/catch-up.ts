/** A client that comes late: it reads a long log from its first event. */

import { TESTER } from "../src/testkit/tester.ts";
import { temporaryDirectory } from "../test/crash/daemon-process.ts";
import type { Benchmark } from "./harness/benchmark.ts";
import { DaemonUnderTest } from "./harness/daemon-under-test.ts";
import { playBareStream, startBareStream } from "./harness/play-bare-stream.ts";
import { inRounds, measure, medianOf, type Sample } from "./harness/rounds.ts";
import { agentOutputs } from "./harness/sample-log.ts";
import { ScriptedEngine } from "./harness/scripted-engine.ts";

const SESSION = "session";

export const catchUp: Benchmark = {
  name: "catch-up",
  summary: "one reader of a long stored log, from the start",
  async run(scale) {
    await using data = await temporaryDirectory();
    const events = await writeLog(data.path, scale.size(100_000, 300));
    await using daemon = await DaemonUnderTest.start(data.path);
    const last = `id: ${events}\n`;
    const { body, bytes } = await read(daemon, { last, keep: true });
    await using bare = await startBareStream(data.path, body);

    const results = await inRounds<"ours" | "bare", Sample>(scale.rounds + 2, {
      ours: () => read(daemon, { last }),
      bare: () => playBareStream(bare, { readers: 1, bytes, last }),
    });
    const figure = (name: string, unit: string, pick: (sample: Sample) => number) => ({
      name,
      unit,
      value: medianOf(results.ours, pick),
      baseline: { name: "framed bytes from memory", value: medianOf(results.bare, pick) },
    });
    return [
      figure("CPU of the daemon per event", "µs", ({ cpuMicroseconds }) => cpuMicroseconds / events),
      figure("read", "events/s", ({ wallMs }) => (events / wallMs) * 1000),
      figure("read", "MB/s", ({ wallMs }) => bytes / 1e3 / wallMs),
    ];
  },
};

/** Gives the number of its last event. */
async function writeLog(directory: string, deltas: number): Promise<number> {
  await using scripted = await ScriptedEngine.open(directory);
  const talk = await scripted.startTurn(SESSION);
  await talk.sayAll(agentOutputs(deltas));
  // Closed, so that nothing is added when the engine ends.
  await scripted.engine.run("updateSession", { session: SESSION, status: "closed" }, TESTER);
  const { head } = await scripted.engine.run("getSession", { session: SESSION }, TESTER);
  return head;
}

async function read(
  daemon: DaemonUnderTest,
  request: { last: string; keep?: boolean },
): Promise<Sample & { bytes: number; body: readonly Buffer[] }> {
  let bytes = 0;
  let body: readonly Buffer[] = [];
  const sample = await measure(async () => {
    const reader = await daemon.openReader(SESSION, { after: 0, ...request });
    await reader.finished;
    ({ bytes, body } = reader);
    reader.close();
  }, daemon.cpu);
  return { ...sample, bytes, body };
}
