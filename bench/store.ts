/** The SQLite store alone: appending with few and many events per commit, the room they take, reading them back. */
import { join } from "node:path";
import type { SessionAppend } from "../src/core/store.ts";
import { openStore } from "../src/store/open-store.ts";
import { DATABASE_FILE } from "../src/store/sqlite/data-directory.ts";
import { temporaryDirectory } from "../test/crash/daemon-process.ts";
import { BareLog, toBareRow } from "./bare/bare-log.ts";
import type { Benchmark, Figure, Scale } from "./harness/benchmark.ts";
import { inWarmRounds, measure, medianOf, type Sample } from "./harness/rounds.ts";
import { sampleAppends } from "./harness/sample-log.ts";
import { usedBytes } from "./harness/used-bytes.ts";

const BARE = "one row in bare SQLite";

export const store: Benchmark = {
  name: "store",
  summary: "append at 1, 10 and 100 events per commit, size on disk, read back",
  async run(scale) {
    return [
      ...(await append(scale, 1, scale.size(400, 20))),
      ...(await append(scale, 10, scale.size(300, 10))),
      ...(await append(scale, 100, scale.size(200, 5))),
      ...(await size(scale)),
      ...(await readBack(scale)),
    ];
  },
};

interface Appended {
  /** With packing and closing. */
  readonly cpuPerEvent: number;
  readonly eventsPerSecond: number;
}

async function append(scale: Scale, perCommit: number, commits: number): Promise<Figure[]> {
  const count = perCommit * commits;
  const appends = sampleAppends("session", count, perCommit);
  const rows = appends.map(toBareRow);
  const results = await inWarmRounds(scale.rounds, {
    ours: async () => {
      await using directory = await temporaryDirectory();
      const ours = await openStore({ directory: directory.path });
      return measureAppends(
        count,
        () => appendAll(ours, appends),
        () => ours.close(),
      );
    },
    bare: async () => {
      await using directory = await temporaryDirectory();
      const bare = new BareLog(directory.path);
      return measureAppends(
        count,
        () => bare.appendAll("session", rows),
        () => bare.close(),
      );
    },
  });
  return [
    {
      name: `CPU per event, ${perCommit} per commit`,
      unit: "µs",
      value: medianOf(results.ours, ({ cpuPerEvent }) => cpuPerEvent),
      baseline: { name: BARE, value: medianOf(results.bare, ({ cpuPerEvent }) => cpuPerEvent) },
    },
    {
      name: `stored, ${perCommit} per commit`,
      unit: "events/s",
      value: medianOf(results.ours, ({ eventsPerSecond }) => eventsPerSecond),
      baseline: { name: BARE, value: medianOf(results.bare, ({ eventsPerSecond }) => eventsPerSecond) },
    },
  ];
}

async function measureAppends(count: number, append: () => unknown, close: () => unknown): Promise<Appended> {
  let eventsPerSecond = 0;
  const { cpuMicroseconds } = await measure(async () => {
    const { wallMs } = await measure(append);
    eventsPerSecond = (count / wallMs) * 1000;
    await close();
  });
  return { cpuPerEvent: cpuMicroseconds / count, eventsPerSecond };
}

/** Short logs are not packed before the store is opened again, so both states can be looked at. */
async function size(scale: Scale): Promise<Figure[]> {
  await using directory = await temporaryDirectory();
  const database = join(directory.path, DATABASE_FILE);
  const perSession = scale.size(600, 60);
  const sessions = Array.from({ length: scale.size(40, 2) }, (_, index) =>
    sampleAppends(`session-${index}`, perSession, 10),
  );
  const events = sessions.length * perSession;
  const rows = sessions.flat().map(toBareRow);
  const bytes = rows.reduce((sum, row) => sum + row.events.length + row.raws.length, 0);

  const empty = await openStore({ directory: directory.path });
  await empty.close();
  const emptyBytes = usedBytes(database);
  const unpacked = await openStore({ directory: directory.path });
  for (const place of sessions[0]!.keys()) await unpacked.append(sessions.map((session) => session[place]!));
  await unpacked.close();
  const before = usedBytes(database) - emptyBytes;
  const packed = await openStore({ directory: directory.path });
  await packed.close();
  const after = usedBytes(database) - emptyBytes;
  const baseline = { name: "JSON of events and raw records", value: bytes / events };
  return [
    { name: "on disk per event, before sealing", unit: "bytes", value: before / events, baseline },
    { name: "on disk per event, sealed", unit: "bytes", value: after / events, baseline },
  ];
}

async function readBack(scale: Scale): Promise<Figure[]> {
  await using directory = await temporaryDirectory();
  const count = scale.size(100_000, 2000);
  const appends = sampleAppends("session", count, 100);
  const writer = await openStore({ directory: directory.path });
  const bare = new BareLog(directory.path);
  await appendAll(writer, appends);
  bare.appendAll("session", appends.map(toBareRow));
  await writer.close();
  const results = await inWarmRounds(scale.rounds, {
    ours: () => readAll(directory.path),
    bare: () => measure(() => bare.readAll("session")),
  });
  bare.close();
  const rate = ({ wallMs }: Sample) => count / wallMs;
  return [
    {
      name: "read back, sealed",
      unit: "events/ms",
      value: medianOf(results.ours, rate),
      baseline: { name: "rows of bare SQLite, unpacked", value: medianOf(results.bare, rate) },
    },
  ];
}

/** In pages like those for a reader that is behind, from a store that has nothing in memory yet. */
async function readAll(directory: string): Promise<Sample> {
  const reader = await openStore({ directory });
  const sample = await measure(async () => {
    let after = 0;
    for (;;) {
      const { events, head } = await reader.readEvents("session", after, 2000, 256 * 1024);
      after = events.at(-1)?.seq ?? after;
      if (after >= head) return;
    }
  });
  await reader.close();
  return sample;
}

async function appendAll(
  target: Awaited<ReturnType<typeof openStore>>,
  appends: readonly SessionAppend[],
): Promise<void> {
  for (const append of appends) await target.append([append]);
}
