/** One busy session and many readers: what a delivery costs, also without the work that is done once for all. */
import { temporaryDirectory } from "../test/crash/daemon-process.ts";
import type { Benchmark } from "./harness/benchmark.ts";
import { DaemonUnderTest } from "./harness/daemon-under-test.ts";
import { playBareStream, startBareStream } from "./harness/play-bare-stream.ts";
import { inRounds, medianOf, type Sample } from "./harness/rounds.ts";

export const fanOut: Benchmark = {
  name: "fan-out",
  summary: "100 readers of one session while its agent is as fast as it can",
  async run(scale) {
    const readers = scale.size(100, 5);
    const deltas = scale.size(20_000, 200);
    await using data = await temporaryDirectory();
    await using daemon = await DaemonUnderTest.start(data.path);
    const session = await daemon.openSession(scale.size(5000, 50));
    const { body, bytes, events } = await daemon.playBurst(session, deltas, 1);
    await using bare = await startBareStream(data.path, body);

    const results = await inRounds<"many" | "bare" | "one", Sample>(scale.rounds, {
      many: () => daemon.playBurst(session, deltas, readers),
      bare: () => playBareStream(bare, { readers, bytes, last: '"type":"turn.ended"' }),
      one: () => daemon.playBurst(session, deltas, 1),
    });
    const deliveries = readers * events;
    const cpu = (samples: readonly Sample[]) => medianOf(samples, ({ cpuMicroseconds }) => cpuMicroseconds);
    const rate = ({ wallMs }: Sample) => (deliveries / wallMs) * 1000;
    const baseline = { name: "framed bytes from memory", value: cpu(results.bare) / deliveries };
    return [
      {
        name: "CPU per delivery, log included",
        unit: "µs",
        value: cpu(results.many) / deliveries,
        baseline,
      },
      {
        name: "CPU per further delivery",
        unit: "µs",
        value: (cpu(results.many) - cpu(results.one)) / (deliveries - events),
        baseline,
      },
      {
        name: "delivered",
        unit: "events/s",
        value: medianOf(results.many, rate),
        baseline: { name: baseline.name, value: medianOf(results.bare, rate) },
      },
    ];
  },
};
