/** More and more sessions in one daemon: what each takes while nothing happens, and whether one that works feels the others. */
import { setTimeout as sleep } from "node:timers/promises";
import { temporaryDirectory } from "../test/crash/daemon-process.ts";
import type { Benchmark, Figure } from "./harness/benchmark.ts";
import { clock } from "./harness/clock.ts";
import { quantile } from "./harness/quantile.ts";
import { InterlinguaGateway } from "./peers/interlingua-gateway.ts";
import { cpuOf, memoryOf } from "./peers/process-usage.ts";
import { StreamReader } from "./peers/stream-reader.ts";

const COUNTS = [1, 10, 100, 1000];
const AT_ONCE = 20;
const UNITS: Readonly<Record<string, string>> = {
  "prompt to first event": "ms",
  "CPU per event": "µs",
  memory: "MB",
};

export const sessions: Benchmark = {
  name: "sessions",
  summary: "1 to 1000 open sessions: memory, and how one of them works",
  async run({ size }) {
    const counts = COUNTS.slice(0, size(4, 2));
    const restMs = size(1000, 1);
    const load = { chunks: size(50_000, 50), prompts: size(41, 3) };
    return [...(await idle(counts, restMs)), ...(await atWork(counts, load))];
  },
};

/** A daemon in which nothing was ever done: garbage of work would hide what sessions take. */
async function idle(counts: readonly number[], restMs: number): Promise<Figure[]> {
  await using directory = await temporaryDirectory();
  await using gateway = await InterlinguaGateway.start(directory.path);
  const figures: Figure[] = [];
  let open = 0;
  for (const count of counts) {
    open = await openUpTo(gateway, open, count);
    await sleep(restMs);
    figures.push(toFigure(count, "memory", memoryOf(gateway.pid) / 1e6));
  }
  return figures;
}

interface Load {
  readonly chunks: number;
  readonly prompts: number;
}

async function atWork(counts: readonly number[], load: Load): Promise<Figure[]> {
  await using directory = await temporaryDirectory();
  await using gateway = await InterlinguaGateway.start(directory.path);
  const session = await gateway.createSession();
  const reader = await StreamReader.open(session.stream);
  const work = async (): Promise<Record<string, number>> => {
    const waits: number[] = [];
    for (let prompt = 0; prompt < load.prompts; prompt += 1) {
      reader.reset();
      const startedAt = clock();
      await session.prompt("burst 1");
      await reader.until(() => reader.turns > 0);
      waits.push((reader.firstChunkAt - startedAt) / 1000);
    }
    reader.reset();
    const cpuBefore = cpuOf(gateway.pid);
    await session.prompt(`burst ${load.chunks}`);
    await reader.until(() => reader.turns > 0);
    const cpu = cpuOf(gateway.pid) - cpuBefore;
    return { "prompt to first event": quantile(waits, 0.5), "CPU per event": cpu / load.chunks };
  };
  // Once for nothing: the daemon is cold.
  await work();
  const figures: Figure[] = [];
  let open = 1;
  for (const count of counts) {
    open = await openUpTo(gateway, open, count);
    for (const [name, value] of Object.entries(await work())) figures.push(toFigure(count, name, value));
  }
  reader.close();
  return figures;
}

/** Gives how many are open then. */
async function openUpTo(gateway: InterlinguaGateway, open: number, count: number): Promise<number> {
  for (let made = open; made < count; made += AT_ONCE) {
    const length = Math.min(AT_ONCE, count - made);
    await Promise.all(Array.from({ length }, () => gateway.createIdleSession()));
  }
  return Math.max(open, count);
}

function toFigure(count: number, name: string, value: number): Figure {
  return { name: `${count} open: ${name}`, unit: UNITS[name]!, value, point: { curve: name, x: count } };
}
