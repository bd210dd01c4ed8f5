/** Logs through sockets: every frame a message, views shared by readers that are level, and slow readers. */
import fc from "fast-check";
import { afterEach, beforeEach, expect, it } from "vitest";
import { until } from "../../testkit/until.ts";
import { type SyntheticServer, startSyntheticServer } from "../synthetic-server-test-support.ts";
import { createEchoDialect, type EchoDialect } from "./echo-dialect-test-support.ts";
import { SocketClient } from "./socket-client-test-support.ts";

let server: SyntheticServer;
let dialect: EchoDialect;
const clients: SocketClient[] = [];

beforeEach(async () => {
  dialect = createEchoDialect();
  server = await startSyntheticServer({ recentBytes: 4096 }, { dialects: [dialect] });
  await server.logs.create("a");
});

afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  await server.close();
});

async function open(query = ""): Promise<SocketClient> {
  const client = await SocketClient.open(server.url, `/echo/a/log${query}`);
  clients.push(client);
  return client;
}

/** What a client gets of the events after one. */
function framesBetween(after: number, head: number): object[] {
  return Array.from({ length: head - after }, (_, index) => {
    const seq = after + index + 1;
    const type = seq === 1 ? "session.created" : "text.delta";
    return [{ seq }, { seq, type }];
  }).flat();
}

it.each(["", "?shared"])(
  "every frame of a view is one message, from the log and then live (%s)",
  async (query) => {
    await server.logs.appendDeltas("a", 500);
    const client = await open(query);
    await server.logs.appendDeltas("a", 500);
    await until(() => client.messages.length === 2002);
    expect(client.values).toEqual(framesBetween(0, 1001));
  },
);

it("a client that comes back gets exactly the rest", async () => {
  await server.logs.appendDeltas("a", 99);
  const client = await open("?shared&after=60");
  await server.logs.appendDeltas("a", 10);
  await until(() => client.messages.length === 100);
  expect(client.values).toEqual(framesBetween(60, 110));
});

it("readers that are level share one view: each event is folded once", async () => {
  const readers = await Promise.all(Array.from({ length: 30 }, () => open("?shared")));
  await until(() => readers.every(({ messages }) => messages.length === 2));
  const before = dialect.folded;
  for (let batch = 0; batch < 20; batch += 1) await server.logs.appendDeltas("a", 10);
  await until(() => readers.every(({ messages }) => messages.length === 402));
  for (const reader of readers) expect(reader.values).toEqual(framesBetween(0, 201));
  expect(dialect.folded - before).toBe(200);
  expect(server.fanOut.views.size).toBe(1);
  for (const reader of readers) reader.close();
  await until(() => server.fanOut.openSockets === 0);
  expect(server.fanOut.views.size).toBe(0);
});

it("a reader that stops reading costs little, keeps nobody waiting, and gets the rest when it reads on", async () => {
  const [slow, quick] = [await open("?shared"), await open("?shared")];
  await until(() => slow.messages.length === 2 && quick.messages.length === 2);
  slow.socket.pause();
  const EVENTS = 200_000;
  for (let batch = 0; batch < EVENTS / 1000; batch += 1) await server.logs.appendDeltas("a", 1000);
  await until(() => quick.messages.length === 2 + 2 * EVENTS);
  expect(server.fanOut.counters.fellBehind).toBeGreaterThan(0);
  // The whole log is more than ten megabytes of messages.
  expect(server.fanOut.counters.peakQueuedBytes).toBeLessThan(1024 * 1024);
  slow.socket.resume();
  await until(() => slow.messages.length === 2 + 2 * EVENTS);
  expect(slow.messages).toEqual(quick.messages);
  const before = dialect.folded;
  await server.logs.appendDeltas("a", 5);
  await until(() => [slow, quick].every(({ messages }) => messages.length === 2 * EVENTS + 12));
  expect(dialect.folded - before, "they share again").toBe(5);
});

it("whatever is cut and comes back, nothing is missing and nothing comes twice", async () => {
  let round = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ events: fc.integer({ min: 1, max: 400 }), cut: fc.nat(500) }), {
        minLength: 1,
        maxLength: 6,
      }),
      async (steps) => {
        round += 1;
        const session = `r${round}`;
        await server.logs.create(session);
        const connect = (after: number) =>
          SocketClient.open(server.url, `/echo/${session}/log?shared&after=${after}`);
        const whole = await connect(0);
        const read: { seq: number; type?: string }[] = [];
        let head = 1;
        for (const { events, cut } of steps) {
          const last = read.findLast(({ type }) => type)?.seq ?? 0;
          const client = await connect(last);
          const pending = server.logs.appendDeltas(session, events);
          head += events;
          const wanted = Math.min(cut, 2 * (head - last));
          await until(() => client.messages.length >= wanted);
          client.close();
          await pending;
          // Half an event comes again.
          read.splice(read.findLastIndex(({ type }) => type) + 1);
          read.push(...client.values);
        }
        const last = read.findLast(({ type }) => type)?.seq ?? 0;
        read.splice(read.findLastIndex(({ type }) => type) + 1);
        const client = await connect(last);
        await until(() => client.messages.length === 2 * (head - last));
        await until(() => whole.messages.length === 2 * head);
        expect([...read, ...client.values]).toEqual(whole.values);
        whole.close();
        client.close();
      },
    ),
    { numRuns: 15 },
  );
});
