/** Twenty people at work: ordinary turns, each with a tool call, at the speed of a model. */
import type { Benchmark } from "../harness/benchmark.ts";
import { quantile } from "../harness/quantile.ts";
import { compare } from "./field.ts";
import { cpuOf } from "./process-usage.ts";
import { StreamReader } from "./stream-reader.ts";

export const peerEveryday: Benchmark = {
  name: "peer-everyday",
  summary: "20 sessions with ordinary turns at the speed of a model",
  async run(scale) {
    const count = scale.size(20, 2);
    const chunks = scale.size(200, 4);
    const units = {
      "agent to client, p50": "ms",
      "agent to client, p99": "ms",
      "CPU per event": "µs",
      lost: "%",
    };
    return compare({ rounds: scale.rounds, against: scale.against, units }, async (gateway) => {
      const sessions = [];
      for (let made = 0; made < count; made += 1) sessions.push(await gateway.createSession());
      const readers = await Promise.all(
        sessions.map(({ stream }) => StreamReader.open(stream, { latencies: true })),
      );
      for (const reader of readers) reader.reset();
      const cpuBefore = cpuOf(gateway.pid);
      for (const session of sessions) session.prompt(`say ${chunks}`).catch(() => {});
      await Promise.all(readers.map((reader) => reader.until(() => reader.turns > 0)));
      const cpu = cpuOf(gateway.pid) - cpuBefore;
      const latencies = readers.flatMap((reader) => reader.latencies);
      for (const reader of readers) reader.close();
      return {
        "agent to client, p50": quantile(latencies, 0.5) / 1000,
        "agent to client, p99": quantile(latencies, 0.99) / 1000,
        "CPU per event": cpu / (count * chunks),
        lost: 100 * (1 - latencies.length / (count * chunks)),
      };
    });
  },
};
