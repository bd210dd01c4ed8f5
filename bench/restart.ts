/** From the start of the program to healthy: with nothing stored, with a long past, and after `kill -9` in a turn. */
import { cp } from "node:fs/promises";
import { temporaryDirectory } from "../test/crash/daemon-process.ts";
import type { Benchmark } from "./harness/benchmark.ts";
import { clock } from "./harness/clock.ts";
import { quantile } from "./harness/quantile.ts";
import { storeSessions } from "./harness/stored-sessions.ts";
import { InterlinguaGateway } from "./peers/interlingua-gateway.ts";
import { memoryOf } from "./peers/process-usage.ts";
import { StreamReader } from "./peers/stream-reader.ts";

export const restart: Benchmark = {
  name: "restart",
  summary: "start to healthy with 10,000 sessions stored, and after a crash",
  async run({ rounds, size }) {
    const count = size(10_000, 10);
    await using past = await temporaryDirectory();
    await storeSessions(`${past.path}/data`, count);
    const empty: number[] = [];
    const full: number[] = [];
    const crashed: number[] = [];
    const memory: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      await using directory = await temporaryDirectory();
      empty.push(await startOnce(directory.path, async () => {}));
      await cp(past.path, directory.path, { recursive: true, force: true });
      full.push(
        await startOnce(directory.path, async (gateway) => {
          memory.push(memoryOf(gateway.pid) / 1e6);
          await crash(gateway, size(20, 2));
        }),
      );
      crashed.push(await startOnce(directory.path, async () => {}));
    }
    const median = (values: readonly number[]) => quantile(values, 0.5);
    const stored = "10,000 sessions stored";
    return [
      { name: "start to healthy, nothing stored", unit: "ms", value: median(empty) },
      { name: `start to healthy, ${stored}`, unit: "ms", value: median(full) },
      { name: `start to healthy after kill -9 in 20 turns, ${stored}`, unit: "ms", value: median(crashed) },
      { name: `memory after the start, ${stored}`, unit: "MB", value: median(memory) },
    ];
  },
};

/** Gives the milliseconds until it was healthy. */
async function startOnce(
  directory: string,
  then: (gateway: InterlinguaGateway) => Promise<void>,
): Promise<number> {
  const startedAt = clock();
  await using gateway = await InterlinguaGateway.start(directory);
  await gateway.client.get("/v1/health");
  const took = (clock() - startedAt) / 1000;
  await then(gateway);
  return took;
}

/** Kills it while agents speak. */
async function crash(gateway: InterlinguaGateway, count: number): Promise<void> {
  const sessions = await Promise.all(Array.from({ length: count }, () => gateway.createSession()));
  const readers = await Promise.all(sessions.map(({ stream }) => StreamReader.open(stream)));
  for (const session of sessions) await session.prompt("pace 100 100000");
  await Promise.all(readers.map((reader) => reader.until(() => reader.chunks > 5)));
  for (const reader of readers) reader.socket.on("error", () => {});
  await gateway.kill();
  for (const reader of readers) reader.close();
}
