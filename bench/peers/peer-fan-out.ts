/** One busy session and many readers. */
import type { Benchmark, Figure } from "../harness/benchmark.ts";
import { clock } from "./chunk-text.ts";
import { compare } from "./field.ts";
import { cpuOf } from "./process-usage.ts";
import { StreamReader } from "./stream-reader.ts";

export const peerFanOut: Benchmark = {
  name: "peer-fan-out",
  summary: "1, 10, 100 and 1000 readers of one session in a burst",
  async run(scale) {
    const figures: Figure[] = [];
    for (const [readerCount, chunks] of [
      [1, scale.size(20_000, 100)],
      [10, scale.size(20_000, 100)],
      [100, scale.size(10_000, 50)],
      [scale.size(1000, 20), scale.size(1_000, 2)],
    ] as const) {
      const label = `${readerCount} readers`;
      const units = {
        [`${label}: deliveries`]: "per s",
        [`${label}: CPU per delivery`]: "µs",
        [`${label}: lost`]: "%",
      };
      const ofCount = await compare(scale, units, async (gateway) => {
        const session = await gateway.createSession();
        const readers: StreamReader[] = [];
        for (let opened = 0; opened < readerCount; opened += 1) {
          readers.push(await StreamReader.open(session.stream));
        }
        for (const reader of readers) reader.reset();
        const cpuBefore = cpuOf(gateway.pid);
        const startedAt = clock();
        session.prompt(`burst ${chunks}`).catch(() => {});
        await Promise.all(
          readers.map((reader) => reader.until(() => reader.chunks >= chunks || reader.turns > 0)),
        );
        const cpu = cpuOf(gateway.pid) - cpuBefore;
        const seconds = (Math.max(...readers.map(({ lastChunkAt }) => lastChunkAt)) - startedAt) / 1e6;
        const received = readers.reduce((sum, reader) => sum + reader.chunks, 0);
        for (const reader of readers) reader.close();
        return {
          [`${label}: deliveries`]: received / seconds,
          [`${label}: CPU per delivery`]: cpu / (readerCount * chunks),
          [`${label}: lost`]: 100 * (1 - received / (readerCount * chunks)),
        };
      });
      figures.push(...ofCount);
    }
    return figures;
  },
};
