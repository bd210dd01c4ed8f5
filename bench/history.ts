/** Sessions with a longer and longer past, in a daemon that was just started: what of it does anybody have to wait for? */
import { temporaryDirectory } from "../test/crash/daemon-process.ts";
import type { Benchmark, Figure } from "./harness/benchmark.ts";
import { clock } from "./harness/clock.ts";
import { quantile } from "./harness/quantile.ts";
import { InterlinguaGateway } from "./peers/interlingua-gateway.ts";
import { cpuOf } from "./peers/process-usage.ts";
import { StreamReader } from "./peers/stream-reader.ts";

const PAGE = 100;
const MISSED = 1000;

export const history: Benchmark = {
  name: "history",
  summary: "sessions of a thousand to a million events: open, page, catch up, go on",
  async run({ size }) {
    const lengths = size(1, 0) === 1 ? [1e3, 1e4, 1e5, 1e6] : [100];
    const burst = size(50_000, 50);
    await using directory = await temporaryDirectory();
    const [warmUp, ...ids] = await live(directory.path, [lengths[0]!, ...lengths], size(50, 2));
    await using gateway = await InterlinguaGateway.start(directory.path);
    // Once for nothing: the daemon is cold.
    await reads(gateway, warmUp!, size(21, 2));
    await goingOn(gateway, warmUp!, burst, size(21, 2));
    const figures: Figure[] = [];
    for (const [index, length] of lengths.entries()) {
      const measured = {
        ...(await reads(gateway, ids[index]!, size(21, 2))),
        ...(await goingOn(gateway, ids[index]!, burst, size(21, 2))),
      };
      for (const [name, value] of Object.entries(measured)) {
        const unit = name.startsWith("CPU") ? "µs" : "ms";
        const label = `${length.toLocaleString("en")} events`;
        figures.push({ name: `${label}: ${name}`, unit, value, point: { curve: name, x: length } });
      }
    }
    return figures;
  },
};

/** Sessions of these lengths, each in many turns. */
async function live(directory: string, lengths: readonly number[], turns: number): Promise<string[]> {
  await using gateway = await InterlinguaGateway.start(directory);
  const ids: string[] = [];
  for (const length of lengths) {
    const id = await gateway.createIdleSession();
    const session = await gateway.openSession(id);
    const reader = await StreamReader.open(session.stream);
    for (let turn = 0; turn < turns; turn += 1) {
      reader.reset();
      await session.prompt(`burst ${Math.ceil(length / turns)}`);
      await reader.until(() => reader.turns > 0);
    }
    reader.close();
    ids.push(id);
  }
  return ids;
}

async function reads(
  gateway: InterlinguaGateway,
  id: string,
  times: number,
): Promise<Record<string, number>> {
  const { client } = gateway;
  const path = `/v1/sessions/${id}`;
  const startedAt = clock();
  const { head } = (await client.get(path)) as { head: number };
  const opened = (clock() - startedAt) / 1000;
  const page = (after: number) =>
    timed(times, () => client.get(`${path}/events?after=${after}&limit=${PAGE}`));
  return {
    "the session, the first time": opened,
    "the session, again": await timed(times, () => client.get(path)),
    "first page": await page(0),
    "page in the middle": await page(Math.floor(head / 2)),
    "last page": await page(head - PAGE),
    "a reader catches up with 1,000 events": await timed(times, () => catchUp(gateway, id, head)),
  };
}

async function catchUp({ client }: InterlinguaGateway, id: string, head: number): Promise<void> {
  const { url, token } = client;
  const after = Math.max(0, head - MISSED);
  const path = `/v1/sessions/${id}/events/sse?after=${after}`;
  const reader = await StreamReader.open({ url, token, path, end: `id: ${head}\n` });
  await reader.until(() => reader.turns > 0);
  reader.close();
}

/** A new turn on top of it all. */
async function goingOn(
  gateway: InterlinguaGateway,
  id: string,
  chunks: number,
  times: number,
): Promise<Record<string, number>> {
  const session = await gateway.openSession(id);
  const reader = await StreamReader.open(session.stream);
  const waits = await timed(times, async () => {
    reader.reset();
    await session.prompt("burst 1");
    await reader.until(() => reader.turns > 0);
  });
  reader.reset();
  const cpuBefore = cpuOf(gateway.pid);
  await session.prompt(`burst ${chunks}`);
  await reader.until(() => reader.turns > 0);
  const cpu = cpuOf(gateway.pid) - cpuBefore;
  reader.close();
  return { "a short turn": waits, "CPU per further event": cpu / chunks };
}

/** The median, in milliseconds. */
async function timed(times: number, action: () => Promise<unknown>): Promise<number> {
  const waits: number[] = [];
  for (let time = 0; time < times; time += 1) {
    const startedAt = clock();
    await action();
    waits.push((clock() - startedAt) / 1000);
  }
  return quantile(waits, 0.5);
}
