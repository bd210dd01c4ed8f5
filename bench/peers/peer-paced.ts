/** A steady stream: how long a chunk takes from the agent to the client, until the gateway no longer keeps up. */
import type { Benchmark, Figure } from "../harness/benchmark.ts";
import { quantile } from "../harness/quantile.ts";
import { compare } from "./field.ts";
import { StreamReader } from "./stream-reader.ts";

const RATES = [1_000, 10_000, 20_000, 40_000, 80_000];
const SECONDS = 2;

export const peerPaced: Benchmark = {
  name: "peer-paced",
  summary: "one session at 1k to 80k events a second: from agent to client",
  async run(scale) {
    const figures: Figure[] = [];
    for (const rate of scale.size(1, 0) === 1 ? RATES : RATES.slice(0, 1)) {
      const label = `${rate / 1000}k/s`;
      const count = scale.size(rate * SECONDS, 100);
      const units = { [`${label}: p50`]: "ms", [`${label}: p99`]: "ms", [`${label}: lost`]: "%" };
      const ofRate = await compare(scale, units, async (gateway) => {
        const session = await gateway.createSession();
        const reader = await StreamReader.open(session.stream, { latencies: true });
        reader.reset();
        session.prompt(`pace ${rate} ${count}`).catch(() => {});
        await reader.until(() => reader.chunks >= count || reader.turns > 0);
        reader.close();
        return {
          [`${label}: p50`]: quantile(reader.latencies, 0.5) / 1000,
          [`${label}: p99`]: quantile(reader.latencies, 0.99) / 1000,
          [`${label}: lost`]: 100 * (1 - reader.chunks / count),
        };
      });
      figures.push(...ofRate);
    }
    return figures;
  },
};
