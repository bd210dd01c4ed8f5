/** What is paid for it that every event is on disk before anybody sees it: the same daemon on a disk, and on none. */
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { BareLog, toBareRow } from "./bare/bare-log.ts";
import type { Benchmark, Scale } from "./harness/benchmark.ts";
import { clock } from "./harness/clock.ts";
import { quantile } from "./harness/quantile.ts";
import { inRounds, medianOf } from "./harness/rounds.ts";
import { sampleAppends } from "./harness/sample-log.ts";
import { InterlinguaGateway } from "./peers/interlingua-gateway.ts";
import { burst } from "./peers/peer-burst.ts";
import { firstEvents, permissions } from "./peers/peer-latency.ts";

/** A file system that is only memory. */
const MEMORY = "/dev/shm";

const UNITS = {
  "burst: rate": "events/s",
  "burst: CPU per event": "µs",
  "burst: events per commit": "events",
  "prompt to first event, p50": "ms",
  "commits in a short turn": "commits",
  "permission round trip, p50": "ms",
  "one commit in bare SQLite, p50": "ms",
};

type Measured = Record<keyof typeof UNITS, number>;

export const durability: Benchmark = {
  name: "durability",
  summary: "the same with a data directory on disk and in memory",
  async run(scale) {
    await using disk = await Place.open(tmpdir());
    await using memory = existsSync(MEMORY) ? await Place.open(MEMORY) : undefined;
    const results = await inRounds<"disk" | "memory", Measured | undefined>(scale.rounds, {
      disk: () => measureIn(disk, scale),
      memory: async () => memory && measureIn(memory, scale),
    });
    const median = (measured: readonly (Measured | undefined)[], name: keyof Measured) =>
      medianOf(
        measured.filter((one) => one !== undefined),
        (one) => one[name],
      );
    return Object.entries(UNITS).map(([name, unit]) => ({
      name,
      unit,
      value: median(results.disk, name as keyof Measured),
      ...(memory && {
        baseline: { name: "data in memory", value: median(results.memory, name as keyof Measured) },
      }),
    }));
  },
};

class Place implements AsyncDisposable {
  readonly directory: string;
  readonly gateway: InterlinguaGateway;

  private constructor(directory: string, gateway: InterlinguaGateway) {
    this.directory = directory;
    this.gateway = gateway;
  }

  static async open(parent: string): Promise<Place> {
    const directory = await mkdtemp(join(parent, "interlingua-bench-"));
    return new Place(directory, await InterlinguaGateway.start(directory));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.gateway[Symbol.asyncDispose]();
    await rm(this.directory, { recursive: true });
  }
}

async function measureIn({ directory, gateway }: Place, { size }: Scale): Promise<Measured> {
  const chunks = size(50_000, 100);
  const prompts = size(100, 3);
  const before = await gateway.commits();
  const said = await burst(gateway, 1, chunks);
  const between = await gateway.commits();
  const first = await firstEvents(gateway, prompts);
  const after = await gateway.commits();
  const asked = await permissions(gateway, prompts);
  return {
    "burst: rate": said.rate!,
    "burst: CPU per event": said["CPU per event"]!,
    // With the warm-up, which is a tenth more.
    "burst: events per commit": (chunks * 1.1) / (between - before),
    "prompt to first event, p50": first["prompt to first event, p50"]!,
    "commits in a short turn": (after - between) / prompts,
    "permission round trip, p50": asked["permission round trip, p50"]!,
    "one commit in bare SQLite, p50": bareCommit(directory, prompts),
  };
}

/** The least a commit of a few events takes there. */
function bareCommit(directory: string, count: number): number {
  const log = new BareLog(directory);
  const waits = sampleAppends("session", count * 2, 2).map((append) => {
    const row = toBareRow(append);
    const startedAt = clock();
    log.append("session", row);
    return (clock() - startedAt) / 1000;
  });
  log.close();
  return quantile(waits, 0.5);
}
