/** What a person waits for: the first word after a prompt, and what follows a permission. */
import type { Benchmark } from "../harness/benchmark.ts";
import { quantile } from "../harness/quantile.ts";
import { clock } from "./chunk-text.ts";
import { compare, type Turn } from "./field.ts";
import type { Gateway } from "./gateway.ts";
import { StreamReader } from "./stream-reader.ts";

export const peerLatency: Benchmark = {
  name: "peer-latency",
  summary: "prompt to first event, permission round trip",
  async run(scale) {
    const units = {
      "prompt to first event, p50": "ms",
      "prompt to first event, p99": "ms",
      "permission round trip, p50": "ms",
      "permission round trip, p99": "ms",
    };
    return compare(scale, units, async (gateway) => ({
      ...(await firstEvents(gateway, scale.size(200, 3))),
      ...(await permissions(gateway, scale.size(200, 3))),
    }));
  },
};

async function firstEvents(gateway: Gateway, count: number): Promise<Turn> {
  const session = await gateway.createSession();
  const reader = await StreamReader.open(session.stream);
  const waits: number[] = [];
  for (let asked = 0; asked < count; asked += 1) {
    reader.reset();
    const startedAt = clock();
    const taken = session.prompt("burst 1");
    await reader.until(() => reader.chunks > 0);
    waits.push((reader.firstChunkAt - startedAt) / 1000);
    await taken;
    await reader.until(() => reader.turns > 0);
  }
  reader.close();
  return {
    "prompt to first event, p50": quantile(waits, 0.5),
    "prompt to first event, p99": quantile(waits, 0.99),
  };
}

/** From our yes to the first thing the agent says after it. */
async function permissions(gateway: Gateway, count: number): Promise<Turn> {
  const session = await gateway.createSession();
  const waits: number[] = [];
  let answeredAt = 0;
  let answered = "";
  let reader: StreamReader | undefined;
  reader = await StreamReader.open(session.stream, {
    onText(text) {
      // The word after a yes may come together with the next request.
      if (reader && reader.chunks > waits.length) waits.push((reader.lastChunkAt - answeredAt) / 1000);
      const asked = text === answered ? undefined : session.allow(text);
      if (!asked) return;
      answered = text;
      answeredAt = clock();
      asked.catch(() => {});
    },
  });
  reader.reset();
  const turn = session.prompt(`permission ${count}`).catch(() => {});
  await reader.until(() => waits.length >= count);
  await turn;
  reader.close();
  return {
    "permission round trip, p50": quantile(waits, 0.5),
    "permission round trip, p99": quantile(waits, 0.99),
  };
}
