/** As fast as the agent can, in one session and in many at once. */
import type { Benchmark, Figure } from "../harness/benchmark.ts";
import { compare, type Turn } from "./field.ts";
import type { Gateway } from "./gateway.ts";
import { measuredBurst } from "./measured-burst.ts";
import { StreamReader } from "./stream-reader.ts";

const SIZES = [
  [1, 100_000],
  [4, 25_000],
  [20, 5_000],
] as const;
const UNITS = { rate: "events/s", "CPU per event": "µs", lost: "%" };

export const peerBurst: Benchmark = {
  name: "peer-burst",
  summary: "1, 4 and 20 sessions as fast as their agents can, one reader each",
  async run({ rounds, size, against }) {
    const figures: Figure[] = [];
    for (const [sessions, chunks] of SIZES) {
      const label = sessions === 1 ? "1 session" : `${sessions} sessions`;
      const count = Math.min(sessions, size(sessions, 2));
      const comparison = { rounds, against, units: UNITS, label, x: sessions, ceiling: true };
      figures.push(...(await compare(comparison, (gateway) => burst(gateway, count, size(chunks, 50)))));
    }
    return figures;
  },
};

export async function burst(gateway: Gateway, count: number, chunks: number): Promise<Turn> {
  const sessions = await Promise.all(Array.from({ length: count }, () => gateway.createSession()));
  const readers = await Promise.all(sessions.map(({ stream }) => StreamReader.open(stream)));
  // As much again first: agents are new, and some gateways are compiled while they run.
  const { seconds, cpu, received } = await measuredBurst(gateway, sessions, readers, {
    warmUp: chunks,
    chunks,
  });
  return {
    rate: received / seconds,
    "CPU per event": cpu / (count * chunks),
    lost: 100 * (1 - received / (count * chunks)),
  };
}
