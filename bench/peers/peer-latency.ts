/** What a person waits for: the first word after a prompt, and a permission from its request to what follows the yes. */
import type { Benchmark } from "../harness/benchmark.ts";
import { clock } from "../harness/clock.ts";
import { quantile } from "../harness/quantile.ts";
import { askedAt } from "./chunk-text.ts";
import { compare, type Turn } from "./field.ts";
import type { Gateway } from "./gateway.ts";
import { StreamReader } from "./stream-reader.ts";

const UNITS = {
  "prompt to first event, p50": "ms",
  "prompt to first event, p99": "ms",
  "permission round trip, p50": "ms",
  "permission round trip, p99": "ms",
};

export const peerLatency: Benchmark = {
  name: "peer-latency",
  summary: "prompt to first event, permission round trip",
  async run({ rounds, size, against }) {
    const count = size(200, 3);
    return compare({ rounds, against, units: UNITS, ceiling: true }, async (gateway) => {
      // A daemon runs for days: what a person waits for is not what a compiler does in its first second.
      await firstEvents(gateway, 2 * count);
      await permissions(gateway, count);
      return { ...(await firstEvents(gateway, count)), ...(await permissions(gateway, count)) };
    });
  },
};

export async function firstEvents(gateway: Gateway, count: number): Promise<Turn> {
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

/** From the moment the agent asks until the client has the first thing it says after the yes. */
export async function permissions(gateway: Gateway, count: number): Promise<Turn> {
  const session = await gateway.createSession();
  const waits: number[] = [];
  let open: number | undefined;
  let newest: number | undefined;
  let reader: StreamReader | undefined;
  reader = await StreamReader.open(session.stream, {
    onText(text) {
      // The word after a yes may come together with the next request.
      if (reader && open !== undefined && reader.chunks > waits.length) {
        waits.push((reader.lastChunkAt - open) / 1000);
        open = undefined;
      }
      const asked = askedAt(text);
      if (asked === undefined || asked === newest) return;
      const allowed = session.allow(text);
      if (!allowed) return;
      open = asked;
      newest = asked;
      allowed.catch(() => {});
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
