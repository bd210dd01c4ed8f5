/** A steady stream: how long a chunk takes from the agent to the client, until the gateway no longer keeps up. */
import type { Benchmark, Figure } from "../harness/benchmark.ts";
import { quantile } from "../harness/quantile.ts";
import { compare, type Turn } from "./field.ts";
import type { Gateway } from "./gateway.ts";
import { StreamReader } from "./stream-reader.ts";

const RATES = [1_000, 10_000, 20_000, 40_000, 80_000];
const SECONDS = 2;
const UNITS = { "agent to client, p50": "ms", "agent to client, p99": "ms", lost: "%" };

export const peerPaced: Benchmark = {
  name: "peer-paced",
  summary: "one session at 1k to 80k events a second: from agent to client",
  async run({ rounds, size, against }) {
    const figures: Figure[] = [];
    for (const rate of RATES.slice(size(0, 1), size(RATES.length, 2))) {
      const comparison = {
        rounds,
        against,
        units: UNITS,
        label: `${rate / 1000}k/s`,
        x: rate,
        ceiling: true,
      };
      const count = size(rate * SECONDS, 100);
      figures.push(...(await compare(comparison, (gateway) => pace(gateway, rate, count))));
    }
    return figures;
  },
};

async function pace(gateway: Gateway, rate: number, count: number): Promise<Turn> {
  const session = await gateway.createSession();
  const reader = await StreamReader.open(session.stream, { latencies: true });
  // Warms up the agent, which is new.
  await session.prompt(`pace ${rate} ${Math.ceil(count / 4)}`);
  await reader.until(() => reader.turns > 0);
  reader.reset();
  session.prompt(`pace ${rate} ${count}`).catch(() => {});
  await reader.until(() => reader.chunks >= count || reader.turns > 0);
  reader.close();
  return {
    "agent to client, p50": quantile(reader.latencies, 0.5) / 1000,
    "agent to client, p99": quantile(reader.latencies, 0.99) / 1000,
    lost: 100 * (1 - reader.chunks / count),
  };
}
