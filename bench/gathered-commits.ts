/** Agents that stream at a steady pace into PostgreSQL: how many commits that takes, and how long each event waits. */
import { setTimeout as sleep } from "node:timers/promises";
import { startPostgres } from "../test/postgres/start-postgres.ts";
import type { Figure, Scale } from "./harness/benchmark.ts";
import { quantile } from "./harness/quantile.ts";
import { inWarmRounds, measure, medianOf } from "./harness/rounds.ts";
import { agentOutputs } from "./harness/sample-log.ts";
import { ScriptedEngine, type Talk } from "./harness/scripted-engine.ts";

const SESSIONS = 24;
const EVENTS_PER_SECOND = 80;

const UNITS = {
  "commits/s": "commits/s",
  "agent to reader, p50": "ms",
  "agent to reader, p95": "ms",
  "first event after a pause, p50": "ms",
  "CPU of Node per event": "µs",
};

type Measured = Record<keyof typeof UNITS, number>;

export async function gatheredCommits(scale: Scale): Promise<Figure[]> {
  await using server = await startPostgres();
  // As it is run for real.
  await server.stop();
  await server.start({ fsync: "on", full_page_writes: "on" });
  const url = await server.createDatabase();
  const run = async (gathersCommits: boolean) => {
    await server.empty(url);
    await using scripted = await ScriptedEngine.open({ url, gathersCommits });
    return await streamed(scripted, scale);
  };
  const results = await inWarmRounds(scale.rounds, { gathered: () => run(true), apart: () => run(false) });
  return Object.entries(UNITS).map(([name, unit]) => ({
    name: `${name}, ${SESSIONS} sessions at ${EVENTS_PER_SECOND} events/s`,
    unit,
    value: medianOf(results.gathered, (measured) => measured[name as keyof Measured]),
    baseline: {
      name: "each at once",
      value: medianOf(results.apart, (measured) => measured[name as keyof Measured]),
    },
  }));
}

async function streamed(scripted: ScriptedEngine, { size }: Scale): Promise<Measured> {
  const [perSession, pauses] = [size(400, 5), size(20, 2)];
  const talks: MeasuredTalk[] = [];
  for (let n = 0; n < SESSIONS; n += 1)
    talks.push(new MeasuredTalk(await scripted.startTurn(`session-${n}`)));
  const before = scripted.engine.stats();
  const { wallMs, cpuMicroseconds } = await measure(() =>
    Promise.all(talks.map((talk, place) => talk.stream(perSession, place / SESSIONS))),
  );
  const commits = scripted.engine.stats().commits - before.commits;
  const waits = talks.flatMap(({ waits }) => waits.splice(0));
  for (let pause = 0; pause < pauses; pause += 1) {
    await sleep(50);
    await talks[pause % SESSIONS]!.stream(1, 0);
  }
  return {
    "commits/s": (commits / wallMs) * 1000,
    "agent to reader, p50": quantile(waits, 0.5),
    "agent to reader, p95": quantile(waits, 0.95),
    "first event after a pause, p50": quantile(
      talks.flatMap(({ waits: later }) => later),
      0.5,
    ),
    "CPU of Node per event": cpuMicroseconds / (SESSIONS * perSession),
  };
}

/** A session, with the time of each event from the agent to a reader. */
class MeasuredTalk {
  readonly waits: number[] = [];
  readonly #talk: Talk;
  readonly #saidAt: number[] = [];
  #arrived: (() => void) | undefined;

  constructor(talk: Talk) {
    this.#talk = talk;
    talk.follow((events) => {
      for (const { json } of events) {
        if (!json.includes('"type":"text.delta"')) continue;
        this.waits.push(performance.now() - this.#saidAt.shift()!);
      }
      if (this.#saidAt.length === 0) this.#arrived?.();
    });
  }

  /** Begins `phase` of a gap late. Resolves when the last event has arrived. */
  async stream(count: number, phase: number): Promise<void> {
    const gapMs = 1000 / EVENTS_PER_SECOND;
    const startedAt = performance.now() + phase * gapMs;
    for (const [place, output] of agentOutputs(count).entries()) {
      await sleep(Math.max(0, startedAt + place * gapMs - performance.now()));
      this.#saidAt.push(performance.now());
      this.#talk.say(output);
    }
    if (this.#saidAt.length > 0) await new Promise<void>((resolve) => (this.#arrived = resolve));
  }
}
