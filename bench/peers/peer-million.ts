/** A million events in one session: does anything grow with the history? */
import type { Benchmark } from "../harness/benchmark.ts";
import { clock } from "../harness/clock.ts";
import { compare } from "./field.ts";
import { cpuOf, memoryOf } from "./process-usage.ts";
import { StreamReader } from "./stream-reader.ts";

export const peerMillion: Benchmark = {
  name: "peer-million",
  summary: "a million events in one session: the last tenth against the first, memory",
  async run(scale) {
    const tenth = scale.size(100_000, 20);
    const units = {
      "rate of the first tenth": "events/s",
      "rate of the last tenth": "events/s",
      "CPU per event": "µs",
      "memory afterwards": "MB",
      lost: "%",
    };
    // Once is enough: it is long, and it is about growth within the run.
    return compare({ rounds: 1, against: scale.against, units }, async (gateway) => {
      const session = await gateway.createSession();
      const reader = await StreamReader.open(session.stream);
      const rates: number[] = [];
      let received = 0;
      const cpuBefore = cpuOf(gateway.pid);
      for (let part = 0; part < 10; part += 1) {
        reader.reset();
        const startedAt = clock();
        session.prompt(`burst ${tenth}`).catch(() => {});
        await reader.until(() => reader.turns > 0);
        rates.push(reader.chunks / ((reader.lastChunkAt - startedAt) / 1e6));
        received += reader.chunks;
      }
      const cpu = cpuOf(gateway.pid) - cpuBefore;
      reader.close();
      return {
        "rate of the first tenth": rates[0] ?? Number.NaN,
        "rate of the last tenth": rates.at(-1) ?? Number.NaN,
        "CPU per event": cpu / (10 * tenth),
        "memory afterwards": memoryOf(gateway.pid) / 1e6,
        lost: 100 * (1 - received / (10 * tenth)),
      };
    });
  },
};
