/** One busy session and many readers. */
import type { Benchmark, Figure } from "../harness/benchmark.ts";
import { compare, type Turn } from "./field.ts";
import type { Gateway } from "./gateway.ts";
import { measuredBurst } from "./measured-burst.ts";
import { StreamReader } from "./stream-reader.ts";

const SIZES = [
  [1, 50_000],
  [10, 20_000],
  [100, 5_000],
  [1000, 500],
] as const;
const UNITS = { deliveries: "per s", "CPU per delivery": "µs", lost: "%" };

export const peerFanOut: Benchmark = {
  name: "peer-fan-out",
  summary: "1, 10, 100 and 1000 readers of one session in a burst",
  async run({ rounds, size, against }) {
    const figures: Figure[] = [];
    for (const [readers, chunks] of SIZES.slice(size(0, 2), size(4, 3))) {
      const label = readers === 1 ? "1 reader" : `${readers} readers`;
      const count = Math.min(readers, size(readers, 5));
      const comparison = { rounds, against, units: UNITS, label, x: readers, ceiling: true };
      figures.push(...(await compare(comparison, (gateway) => fanOut(gateway, count, size(chunks, 10)))));
    }
    return figures;
  },
};

async function fanOut(gateway: Gateway, count: number, chunks: number): Promise<Turn> {
  const session = await gateway.createSession();
  const readers: StreamReader[] = [];
  for (let opened = 0; opened < count; opened += 1) readers.push(await StreamReader.open(session.stream));
  const warmUp = Math.ceil(chunks / 10);
  const { seconds, cpu, received } = await measuredBurst(gateway, [session], readers, { warmUp, chunks });
  return {
    deliveries: received / seconds,
    "CPU per delivery": cpu / (count * chunks),
    lost: 100 * (1 - received / (count * chunks)),
  };
}
