/** The store on PostgreSQL beside that on SQLite: the same commits, with everything synced to the disk by both. */
import type { SessionAppend, Store } from "../src/core/store.ts";
import { openStore } from "../src/store/open-store.ts";
import { temporaryDirectory } from "../test/crash/daemon-process.ts";
import { startPostgres } from "../test/postgres/start-postgres.ts";
import { gatheredCommits } from "./gathered-commits.ts";
import type { Benchmark, Figure, Scale } from "./harness/benchmark.ts";
import { quantile } from "./harness/quantile.ts";
import { inWarmRounds, measure, medianOf } from "./harness/rounds.ts";
import { sampleAppends } from "./harness/sample-log.ts";

const SQLITE = "SQLite";

export const postgres: Benchmark = {
  name: "postgres",
  summary:
    "the store on PostgreSQL: commits of one session and of twenty, beside SQLite; agents that stream at a pace",
  async run(scale) {
    return [
      ...(await commits(scale, 1, 10)),
      ...(await commits(scale, 20, 50)),
      ...(await gatheredCommits(scale)),
    ];
  },
};

interface Measured {
  readonly eventsPerSecond: number;
  readonly cpuPerEvent: number;
  readonly medianMs: number;
}

async function commits(scale: Scale, sessions: number, perCommit: number): Promise<Figure[]> {
  const count = scale.size(200, 5);
  const ofSessions = Array.from({ length: sessions }, (_, n) =>
    sampleAppends(`session-${n}`, count * perCommit, perCommit),
  );
  const batches = Array.from({ length: count }, (_, place) => ofSessions.map((appends) => appends[place]!));
  await using server = await startPostgres();
  // As it is run for real.
  await server.stop();
  await server.start({ fsync: "on", full_page_writes: "on" });
  const url = await server.createDatabase();
  const results = await inWarmRounds(scale.rounds, {
    ours: async () => {
      await server.empty(url);
      return measureBatches(await openStore({ url }), batches);
    },
    sqlite: async () => {
      await using directory = await temporaryDirectory();
      return measureBatches(await openStore({ directory: directory.path }), batches);
    },
  });
  const figure = (name: string, unit: string, pick: (measured: Measured) => number): Figure => ({
    name: `${name}, ${sessions} sessions, ${perCommit} events each per commit`,
    unit,
    value: medianOf(results.ours, pick),
    baseline: { name: SQLITE, value: medianOf(results.sqlite, pick) },
  });
  return [
    figure("commit, p50", "ms", ({ medianMs }) => medianMs),
    figure("stored", "events/s", ({ eventsPerSecond }) => eventsPerSecond),
    figure("CPU of Node per event", "µs", ({ cpuPerEvent }) => cpuPerEvent),
  ];
}

async function measureBatches(store: Store, batches: readonly SessionAppend[][]): Promise<Measured> {
  const times: number[] = [];
  let events = 0;
  const { wallMs, cpuMicroseconds } = await measure(async () => {
    for (const batch of batches) {
      const started = performance.now();
      await store.append(batch);
      times.push(performance.now() - started);
      for (const append of batch) events += append.events.length;
    }
  });
  await store.close();
  return {
    eventsPerSecond: (events / wallMs) * 1000,
    cpuPerEvent: cpuMicroseconds / events,
    medianMs: quantile(times, 0.5),
  };
}
