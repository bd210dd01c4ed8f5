/** More and more sessions in one daemon: what each takes while nothing happens, and whether one that works feels the others. */
import { temporaryDirectory } from "../test/crash/daemon-process.ts";
import type { Benchmark, Figure } from "./harness/benchmark.ts";
import { clock } from "./harness/clock.ts";
import { quantile } from "./harness/quantile.ts";
import type { GatewaySession } from "./peers/gateway.ts";
import { InterlinguaGateway } from "./peers/interlingua-gateway.ts";
import { cpuOf, memoryOf } from "./peers/process-usage.ts";
import { StreamReader } from "./peers/stream-reader.ts";

const AT_ONCE = 20;

export const sessions: Benchmark = {
  name: "sessions",
  summary: "1 to 1000 open sessions: memory, and how one of them works",
  async run({ size }) {
    const load = { chunks: size(20_000, 50), prompts: size(41, 3) };
    await using directory = await temporaryDirectory();
    await using gateway = await InterlinguaGateway.start(directory.path);
    const busy = await gateway.createSession();
    const reader = await StreamReader.open(busy.stream);
    const figures: Figure[] = [];
    let open = 1;
    // Twice for the first: the daemon is cold.
    await work(gateway, busy, reader, load);
    for (const count of [1, 10, 100, 1000].slice(0, size(4, 2))) {
      for (; open < count; open += AT_ONCE) {
        const length = Math.min(AT_ONCE, count - open);
        await Promise.all(Array.from({ length }, () => gateway.createIdleSession()));
      }
      const figuresOfCount = {
        ...(await work(gateway, busy, reader, load)),
        memory: memoryOf(gateway.pid) / 1e6,
      };
      for (const [name, value] of Object.entries(figuresOfCount)) {
        const unit = UNITS[name]!;
        figures.push({ name: `${count} open: ${name}`, unit, value, point: { curve: name, x: count } });
      }
      open = count;
    }
    reader.close();
    return figures;
  },
};

const UNITS: Readonly<Record<string, string>> = {
  "prompt to first event": "ms",
  "CPU per event": "µs",
  memory: "MB",
};

async function work(
  gateway: InterlinguaGateway,
  session: GatewaySession,
  reader: StreamReader,
  { chunks, prompts }: { chunks: number; prompts: number },
): Promise<Record<string, number>> {
  const waits: number[] = [];
  for (let prompt = 0; prompt < prompts; prompt += 1) {
    reader.reset();
    const startedAt = clock();
    await session.prompt("burst 1");
    await reader.until(() => reader.turns > 0);
    waits.push((reader.firstChunkAt - startedAt) / 1000);
  }
  reader.reset();
  const cpuBefore = cpuOf(gateway.pid);
  await session.prompt(`burst ${chunks}`);
  await reader.until(() => reader.turns > 0);
  const cpu = cpuOf(gateway.pid) - cpuBefore;
  return { "prompt to first event": quantile(waits, 0.5), "CPU per event": cpu / chunks };
}
