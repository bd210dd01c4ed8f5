/** Readers in trouble: one that was away, and one that stops reading for a while. What of the stream do they get? */
import type { Benchmark } from "../harness/benchmark.ts";
import { clock } from "../harness/clock.ts";
import { compare, type Turn } from "./field.ts";
import type { Gateway } from "./gateway.ts";
import { StreamReader } from "./stream-reader.ts";

export const peerRecovery: Benchmark = {
  name: "peer-recovery",
  summary: "a reader that comes back after 10,000 events, and one that stops reading",
  async run(scale) {
    const units = {
      "away: lost": "%",
      "away: until it has all": "ms",
      "stalled: lost": "%",
    };
    return compare({ rounds: scale.rounds, against: scale.against, units }, async (gateway) => ({
      ...(await away(gateway, scale.size(10_000, 50))),
      ...(await stalled(gateway, scale.size(50_000, 50))),
    }));
  },
};

async function away(gateway: Gateway, missed: number): Promise<Turn> {
  const session = await gateway.createSession();
  const before = await StreamReader.open(session.stream, { eventIds: true });
  before.reset();
  await session.prompt("burst 10");
  await before.until(() => before.turns > 0);
  before.close();
  const watcher = await StreamReader.open(session.stream, { lastEventId: before.lastEventId });
  session.prompt(`burst ${missed}`).catch(() => {});
  await watcher.until(() => watcher.turns > 0);
  watcher.close();
  const startedAt = clock();
  const back = await StreamReader.open(session.stream, { lastEventId: before.lastEventId });
  await back.until(() => back.chunks >= missed, 1000);
  back.close();
  return {
    "away: lost": 100 * (1 - back.chunks / missed),
    "away: until it has all": (back.lastChunkAt - startedAt) / 1000,
  };
}

async function stalled(gateway: Gateway, count: number): Promise<Turn> {
  const session = await gateway.createSession();
  const reader = await StreamReader.open(session.stream);
  const watcher = await StreamReader.open(session.stream);
  reader.reset();
  watcher.reset();
  reader.socket.pause();
  session.prompt(`burst ${count}`).catch(() => {});
  await watcher.until(() => watcher.turns > 0);
  reader.socket.resume();
  await reader.until(() => reader.chunks >= count, 1000);
  watcher.close();
  reader.close();
  return { "stalled: lost": 100 * (1 - reader.chunks / count) };
}
