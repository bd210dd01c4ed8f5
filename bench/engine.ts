/** The engine with its store and no HTTP: what an event costs, and how long it takes from the agent to a reader. */
import { setTimeout as sleep } from "node:timers/promises";
import { temporaryDirectory } from "../test/crash/daemon-process.ts";
import { BareLog, toBareRow } from "./bare/bare-log.ts";
import type { Benchmark, Figure, Scale } from "./harness/benchmark.ts";
import { quantile } from "./harness/quantile.ts";
import { inWarmRounds, measure, medianOf, type Sample } from "./harness/rounds.ts";
import { agentOutputs, sampleAppends } from "./harness/sample-log.ts";
import { ScriptedEngine } from "./harness/scripted-engine.ts";

export const engine: Benchmark = {
  name: "engine",
  summary: "an agent in this process through the engine into SQLite",
  async run(scale) {
    return [...(await throughput(scale)), ...(await latency(scale))];
  },
};

async function throughput(scale: Scale): Promise<Figure[]> {
  await using directory = await temporaryDirectory();
  await using scripted = await ScriptedEngine.open(directory.path);
  const bare = new BareLog(directory.path);
  const count = scale.size(50_000, 500);
  const outputs = agentOutputs(count);
  let sessions = 0;
  let perCommit = 1;
  const results = await inWarmRounds(scale.rounds, {
    engine: async () => {
      sessions += 1;
      const talk = await scripted.startTurn(`session-${sessions}`);
      const before = scripted.engine.stats();
      const sample = await measure(() => talk.sayAll(outputs));
      const after = scripted.engine.stats();
      perCommit = (after.committedEvents - before.committedEvents) / (after.commits - before.commits);
      return { ...sample, perCommit };
    },
    bare: async () => {
      const rows = sampleAppends("session", count, Math.round(perCommit)).map(toBareRow);
      return { ...(await measure(() => bare.appendAll("session", rows))), perCommit };
    },
  });
  bare.close();
  const cpu = ({ cpuMicroseconds }: Sample) => cpuMicroseconds / count;
  const rate = ({ wallMs }: Sample) => (count / wallMs) * 1000;
  const name = "same commits in bare SQLite";
  return [
    {
      name: "CPU per event",
      unit: "µs",
      value: medianOf(results.engine, cpu),
      baseline: { name, value: medianOf(results.bare, cpu) },
    },
    {
      name: "stored",
      unit: "events/s",
      value: medianOf(results.engine, rate),
      baseline: { name, value: medianOf(results.bare, rate) },
    },
    {
      name: "events per commit",
      unit: "events",
      value: medianOf(results.engine, (result) => result.perCommit),
    },
  ];
}

/** One event now and then, as an agent that thinks between its words. Most of it is the disk's time. */
async function latency(scale: Scale): Promise<Figure[]> {
  await using directory = await temporaryDirectory();
  await using scripted = await ScriptedEngine.open(directory.path);
  const bare = new BareLog(directory.path);
  const outputs = agentOutputs(scale.size(1000, 20));
  const rows = sampleAppends("session", outputs.length, 1).map(toBareRow);
  const talk = await scripted.startTurn("session");
  // The first delta also opens a part and a step.
  talk.say({ raw: { direction: "in", data: "{}" }, drafts: [{ type: "text.start", part: "block-1" }] });
  await sleep(50);

  const saidAt: number[] = [];
  const engineMs: number[] = [];
  const bareMs: number[] = [];
  const follower = talk.follow((events) => {
    for (const _ of events) engineMs.push(performance.now() - saidAt[engineMs.length]!);
  });
  for (const [index, output] of outputs.entries()) {
    saidAt.push(performance.now());
    talk.say(output);
    await sleep(1);
    // The two take turns: both meet the same disk, and neither holds up the other.
    while (engineMs.length <= index) await sleep(1);
    const startedAt = performance.now();
    bare.append("session", rows[index]!);
    bareMs.push(performance.now() - startedAt);
  }
  follower.stop();
  bare.close();
  return [0.5, 0.99].map((part) => ({
    name: `agent to reader, p${part * 100}`,
    unit: "ms",
    value: quantile(engineMs, part),
    baseline: { name: "one commit in bare SQLite", value: quantile(bareMs, part) },
  }));
}
