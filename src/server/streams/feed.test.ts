import { afterEach, beforeEach, expect, test } from "vitest";
import { feedFrameSchema } from "../../protocol/schemas/feed.ts";
import { SampleSession } from "../../store/contract/sample-session.ts";
import { call, StreamClient } from "../http-client-test-support.ts";
import { type SyntheticServer, startSyntheticServer } from "../synthetic-server-test-support.ts";

let server: SyntheticServer;
const clients: StreamClient[] = [];

beforeEach(async () => {
  server = await startSyntheticServer();
});

afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  await server.close();
});

async function open(): Promise<StreamClient> {
  const client = await StreamClient.open(server.url, "/v1/feed/sse");
  clients.push(client);
  await client.until("the snapshot", ({ frames }) => frames.length > 0);
  return client;
}

/** What a client that applies every frame knows. */
function stateOf(client: StreamClient): { heads: Record<string, number>; asks: Record<string, string[]> } {
  const heads: Record<string, number> = {};
  const asks: Record<string, string[]> = {};
  for (const { data } of client.frames) {
    if (data.type === "snapshot") {
      for (const { session, head } of data.sessions) heads[session] = head;
      for (const { session, ask } of data.asks) asks[session] = [...(asks[session] ?? []), ask];
    }
    if (data.type === "session") heads[data.session] = data.head;
    if (data.type === "asks") asks[data.session] = data.asks.map(({ ask }: { ask: string }) => ask);
    if (data.type === "deleted") {
      delete heads[data.session];
      delete asks[data.session];
    }
  }
  return { heads, asks };
}

test("begins with a snapshot of every session, then tells every change", async () => {
  for (let n = 0; n < 600; n += 1) await server.logs.create(`s${n}`);
  await server.logs.changeAsks("s1", { opens: ["a1"] });
  const client = await open();
  expect(client.frames[0]?.data.type).toBe("snapshot");
  expect(client.frames[0]?.data.sessions).toHaveLength(600);
  expect(client.frames[0]?.data.asks).toMatchObject([{ session: "s1", ask: "a1", state: "open" }]);
  await server.logs.appendDeltas("s5", 3);
  await server.logs.create("new");
  await server.logs.delete("s7");
  await client.until("the deletion", ({ frames }) => frames.some(({ data }) => data.type === "deleted"));
  const { heads } = stateOf(client);
  expect([heads.s5, heads.new, heads.s7]).toEqual([4, 1, undefined]);
  for (const { data } of client.frames) expect(feedFrameSchema.safeParse(data).error).toBeUndefined();
});

test("tells which asks are open, also when one takes the place of another", async () => {
  await server.logs.create("a");
  await server.logs.changeAsks("a", { opens: ["one"] });
  const client = await open();
  await server.logs.changeAsks("a", { opens: ["two"] });
  await client.until("both", (client) => stateOf(client).asks.a?.length === 2);
  await server.logs.changeAsks("a", { opens: ["three"], closes: ["one"] });
  await client.until("the change", (client) => stateOf(client).asks.a?.join() === "two,three");
  await server.logs.changeAsks("a", { closes: ["two", "three"] });
  await client.until("none", (client) => stateOf(client).asks.a?.length === 0);
});

test("an ask of the snapshot that is closed is told, though nobody asked before", async () => {
  await server.logs.create("a");
  await server.logs.changeAsks("a", { opens: ["one"] });
  const client = await open();
  await server.logs.changeAsks("a", { closes: ["one"] });
  await client.until("none", (client) => stateOf(client).asks.a?.length === 0);
});

/** Every page of a list, from a cursor on. */
async function pages(path: string, name: string, cursor: string | undefined): Promise<string[]> {
  const seen: string[] = [];
  for (let next = cursor; next !== undefined; ) {
    const { status, body } = await call(server.url, "GET", `${path}cursor=${next}`);
    expect(status).toBe(200);
    seen.push(...body[name].map(({ session, id }: { session?: string; id?: string }) => session ?? id));
    next = body.cursor;
  }
  return seen;
}

const LARGE = "x".repeat(5_000_000);

test("asks that have no room in the first frame are not lost: a cursor leads to them, and their end is told", async () => {
  for (const session of ["a", "b", "c"]) {
    await server.logs.create(session);
    await server.logs.changeAsks(session, { opens: ["one"], detail: LARGE });
  }
  const client = await open();
  const { asks, askCursor } = client.frames[0]!.data;
  expect(asks).toHaveLength(1);
  const rest = await pages("/v1/asks?", "asks", askCursor);
  expect([asks[0].session, ...rest]).toEqual(["a", "b", "c"]);
  await server.logs.changeAsks("c", { closes: ["one"] });
  await client.until("the end of it", (client) => stateOf(client).asks.c?.length === 0);
});

test("asks of one session that have no room in a frame have a cursor, too", async () => {
  await server.logs.create("a");
  const client = await open();
  for (const ask of ["one", "two"]) await server.logs.changeAsks("a", { opens: [ask], detail: LARGE });
  const cut = () =>
    client.frames.find(({ data }) => data.type === "asks" && data.askCursor !== undefined)?.data;
  await client.until("the frame", () => cut() !== undefined);
  expect(cut().asks.map(({ ask }: { ask: string }) => ask)).toEqual(["one"]);
  const { body } = await call(server.url, "GET", `/v1/asks?session=a&cursor=${cut().askCursor}`);
  expect(body.asks.map(({ ask }: { ask: string }) => ask)).toEqual(["two"]);
  expect(body).toMatchObject({ hasMore: false });
});

test("the first frame holds only so many sessions, and a cursor leads to the others", async () => {
  const ids = Array.from({ length: 1200 }, (_, n) => `s${n}`);
  const title = "x".repeat(2000);
  const samples = ids.map((id, n) => new SampleSession(id, { title, updatedAt: 5000 - n }));
  await server.logs.store.append(samples.map((sample) => sample.batch({ events: 1 })));
  const client = await open();
  const { sessions, sessionCursor } = client.frames[0]!.data;
  expect(JSON.stringify(sessions).length).toBeLessThan(2_500_000);
  const rest = await pages("/v1/sessions?limit=500&", "sessions", sessionCursor);
  expect(rest.length).toBeGreaterThan(0);
  expect([...sessions.map(({ session }: { session: string }) => session), ...rest]).toEqual(ids);
});

test("a slow reader gets the latest state of each session, and holds few bytes meanwhile", async () => {
  for (const session of ["a", "b"]) await server.logs.create(session);
  const slow = await open();
  const quick = await open();
  slow.response.pause();
  for (let n = 0; n < 5000; n += 1) {
    await server.logs.retitle(n % 2 ? "a" : "b", `${n} ${"x".repeat(3000)}`);
    await new Promise(setImmediate);
  }
  const isThere = (client: StreamClient) => {
    if (client.frames.at(-1)?.data.head !== 2501) return false;
    const { heads } = stateOf(client);
    return heads.a === 2501 && heads.b === 2501;
  };
  await quick.until("the last", isThere);
  expect(server.fanOut.counters.peakQueuedBytes).toBeLessThan(256 * 1024);
  slow.response.resume();
  await slow.until("the last", isThere);
  expect(slow.frames.length).toBeLessThan(quick.frames.length);
});

test("a reader that comes back with its cursor gets what it missed, and one with another cursor a snapshot", async () => {
  for (const session of ["a", "b", "gone"]) await server.logs.create(session);
  const client = await open();
  await server.logs.retitle("a", "seen");
  await client.until("the title", ({ frames }) => frames.at(-1)?.data.title === "seen");
  const cursor = client.ids.at(-1)!;
  expect(client.ids).toHaveLength(client.frames.length);
  client.close();
  await expect.poll(() => server.fanOut.openStreams).toBe(0);
  // Nobody reads.
  await server.logs.retitle("b", "missed");
  await server.logs.delete("gone");
  const back = await StreamClient.open(server.url, `/v1/feed/sse?after=${cursor}`);
  clients.push(back);
  await back.until("what was missed", ({ frames }) => frames.length === 3);
  expect(back.frames.map(({ data }) => data)).toMatchObject([
    { type: "resumed" },
    { type: "session", session: "b", title: "missed" },
    { type: "deleted", session: "gone" },
  ]);
  for (const { data } of back.frames) expect(feedFrameSchema.safeParse(data).error).toBeUndefined();
  await server.logs.retitle("a", "new");
  await back.until("what is new", ({ frames }) => frames.at(-1)?.data.title === "new");
  for (const after of [`other.${cursor.split(".")[1]}`, cursor.replace(/\d+$/, "99"), "1", "a.b.c"]) {
    const other = await StreamClient.open(server.url, `/v1/feed/sse?after=${after}`);
    clients.push(other);
    await other.until("the snapshot", ({ frames }) => frames[0]?.data.type === "snapshot");
  }
});

test("a browser that connects again by itself goes on where it was", async () => {
  await server.logs.create("a");
  const client = await open();
  const headers = { "last-event-id": client.ids.at(-1)! };
  const back = await StreamClient.open(server.url, "/v1/feed/sse", { headers });
  clients.push(back);
  await back.until("its first frame", ({ frames }) => frames.length > 0);
  expect(back.frames[0]?.data).toEqual({ type: "resumed" });
});
