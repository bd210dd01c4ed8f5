/** From the start of the program to its first answer, beside a bare server: what all we load and open costs a start. */
import { temporaryDirectory } from "../test/crash/daemon-process.ts";
import { BareServer } from "./harness/bare-server.ts";
import type { Benchmark, Figure } from "./harness/benchmark.ts";
import { DaemonUnderTest } from "./harness/daemon-under-test.ts";
import { inRounds, medianOf, type Sample } from "./harness/rounds.ts";
import { storeSessions } from "./harness/stored-sessions.ts";

/** A start is short, so there are many in each round. */
const STARTS = 5;

interface Started extends AsyncDisposable {
  readonly url: string;
  /** Its processor time in microseconds. */
  cpu(): Promise<number>;
}

export const start: Benchmark = {
  name: "start",
  summary: "cold start to the first answer, with nothing stored and with 1,000 sessions",
  async run({ rounds, size }) {
    await using past = await temporaryDirectory();
    await using compiled = await temporaryDirectory();
    await storeSessions(past.path, size(1000, 10));
    const onNothing = async (cache: string) => {
      await using data = await temporaryDirectory();
      return await measureStart(() => startDaemon(data.path, cache));
    };
    // What it leaves is what every later start finds.
    await onNothing(compiled.path);

    const results = await inRounds<keyof typeof LABELS | "bare", Sample>(rounds * size(STARTS, 1), {
      bare: () => measureStart(() => BareServer.start("health-server.js")),
      nothing: () => onNothing(compiled.path),
      sessions: () => measureStart(() => startDaemon(past.path, compiled.path)),
      first: async () => {
        await using cache = await temporaryDirectory();
        return await onNothing(cache.path);
      },
    });
    const compare = (name: string, unit: string, pick: (sample: Sample) => number): Figure[] =>
      Object.entries(LABELS).map(([contestant, label]) => ({
        name: `${name}, ${label}`,
        unit,
        value: medianOf(results[contestant as keyof typeof LABELS], pick),
        baseline: { name: "bare server", value: medianOf(results.bare, pick) },
      }));
    return [
      ...compare("start to first answer", "ms", ({ wallMs }) => wallMs),
      ...compare("CPU until then", "ms", ({ cpuMicroseconds }) => cpuMicroseconds / 1000),
    ];
  },
};

const LABELS = {
  nothing: "nothing stored",
  sessions: "1,000 sessions stored",
  first: "the first of an installation",
};

/** `cache` is where Node keeps what it compiled. */
function startDaemon(data: string, cache: string): Promise<Started> {
  return DaemonUnderTest.start(data, { NODE_COMPILE_CACHE: cache });
}

async function measureStart(start: () => Promise<Started>): Promise<Sample> {
  const startedAt = performance.now();
  await using started = await start();
  await (await fetch(`${started.url}/v1/health`)).text();
  const wallMs = performance.now() - startedAt;
  return { wallMs, cpuMicroseconds: await started.cpu() };
}
