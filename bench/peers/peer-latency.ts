/** What a person waits for: the first word after a prompt, and a permission from its request to what follows the yes. */
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { temporaryDirectory } from "../../test/crash/daemon-process.ts";
import { BareLog, toBareRow } from "../bare/bare-log.ts";
import type { Benchmark, Figure, Scale } from "../harness/benchmark.ts";
import { clock } from "../harness/clock.ts";
import { quantile } from "../harness/quantile.ts";
import { sampleAppends } from "../harness/sample-log.ts";
import { askedAt } from "./chunk-text.ts";
import { compare, type Turn } from "./field.ts";
import type { Gateway } from "./gateway.ts";
import { InterlinguaGateway } from "./interlingua-gateway.ts";
import { StreamReader } from "./stream-reader.ts";

/** A file system that is only memory: where it is, it shows what the disk takes. */
const MEMORY_DIRECTORY = "/dev/shm";

const UNITS = {
  "prompt to first event, p50": "ms",
  "prompt to first event, p99": "ms",
  "permission round trip, p50": "ms",
  "permission round trip, p99": "ms",
};

export const peerLatency: Benchmark = {
  name: "peer-latency",
  summary: "prompt to first event, permission round trip, and what of them is the disk's",
  async run(scale) {
    const count = scale.size(200, 3);
    const turn = async (gateway: Gateway) => ({
      ...(await firstEvents(gateway, count)),
      ...(await permissions(gateway, count)),
    });
    const compared = await compare({ rounds: scale.rounds, units: UNITS, ceiling: true }, turn);
    return [...compared, await durableCommit(scale), ...(await withoutDisk(turn))];
  },
};

async function firstEvents(gateway: Gateway, count: number): Promise<Turn> {
  const session = await gateway.createSession();
  const reader = await StreamReader.open(session.stream);
  const waits: number[] = [];
  for (let asked = 0; asked < count; asked += 1) {
    reader.reset();
    const startedAt = clock();
    const taken = session.prompt("burst 1");
    await reader.until(() => reader.chunks > 0);
    waits.push((reader.firstChunkAt - startedAt) / 1000);
    await taken;
    await reader.until(() => reader.turns > 0);
  }
  reader.close();
  return {
    "prompt to first event, p50": quantile(waits, 0.5),
    "prompt to first event, p99": quantile(waits, 0.99),
  };
}

/** From the moment the agent asks until the client has the first thing it says after the yes. */
async function permissions(gateway: Gateway, count: number): Promise<Turn> {
  const session = await gateway.createSession();
  const waits: number[] = [];
  let open: number | undefined;
  let newest: number | undefined;
  let reader: StreamReader | undefined;
  reader = await StreamReader.open(session.stream, {
    onText(text) {
      // The word after a yes may come together with the next request.
      if (reader && open !== undefined && reader.chunks > waits.length) {
        waits.push((reader.lastChunkAt - open) / 1000);
        open = undefined;
      }
      const asked = askedAt(text);
      if (asked === undefined || asked === newest) return;
      const allowed = session.allow(text);
      if (!allowed) return;
      open = asked;
      newest = asked;
      allowed.catch(() => {});
    },
  });
  reader.reset();
  const turn = session.prompt(`permission ${count}`).catch(() => {});
  await reader.until(() => waits.length >= count);
  await turn;
  reader.close();
  return {
    "permission round trip, p50": quantile(waits, 0.5),
    "permission round trip, p99": quantile(waits, 0.99),
  };
}

/** The least a commit of a few events takes on this disk. */
async function durableCommit({ size }: Scale): Promise<Figure> {
  await using directory = await temporaryDirectory();
  const log = new BareLog(directory.path);
  const waits = sampleAppends("session", size(400, 4), 2).map((append) => {
    const row = toBareRow(append);
    const startedAt = clock();
    log.append("session", row);
    return (clock() - startedAt) / 1000;
  });
  log.close();
  return { name: "one durable commit in bare SQLite, p50", unit: "ms", value: quantile(waits, 0.5) };
}

/** Ours again, with a data directory that no disk has to confirm. */
async function withoutDisk(turn: (gateway: Gateway) => Promise<Turn>): Promise<Figure[]> {
  if (!existsSync(MEMORY_DIRECTORY)) return [];
  const directory = await mkdtemp(`${MEMORY_DIRECTORY}/interlingua-bench-`);
  try {
    await using gateway = await InterlinguaGateway.start(directory);
    const figures = Object.entries(await turn(gateway));
    return figures.map(([name, value]) => ({ name: `without a disk: ${name}`, unit: "ms", value }));
  } finally {
    await rm(directory, { recursive: true });
  }
}
