import { afterEach, beforeEach, expect, test } from "vitest";
import { StreamClient } from "../http-client-test-support.ts";
import { type SyntheticServer, startSyntheticServer } from "../synthetic-server-test-support.ts";

let server: SyntheticServer;
const clients: StreamClient[] = [];

beforeEach(async () => {
  server = await startSyntheticServer();
  for (const session of ["a", "b"]) {
    await server.logs.create(session);
    await server.logs.appendDeltas(session, 2);
  }
});

afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  await server.close();
});

async function open(path: string, headers?: Record<string, string>): Promise<StreamClient> {
  const client = await StreamClient.open(server.url, path, { headers });
  clients.push(client);
  return client;
}

test("each frame carries the cursor of all, and any of them resumes exactly", async () => {
  const client = await open("/v1/events/sse?after=a:1,b:2");
  await client.until("the rest", ({ frames }) => frames.length === 3);
  await server.logs.appendDeltas("b", 1);
  await client.until("the news", ({ frames }) => frames.length === 4);
  expect(client.ids.at(-1)).toBe("a:3,b:4");
  for (const [index, id] of client.ids.entries()) {
    const resumed = await open("/v1/events/sse?after=a:1,b:2", { "last-event-id": id });
    const rest = client.frames.slice(index + 1).map(({ data }) => `${data.session}:${data.seq}`);
    await resumed.until("the rest", ({ frames }) => frames.length === rest.length);
    expect(resumed.frames.map(({ data }) => `${data.session}:${data.seq}`).sort()).toEqual(rest.sort());
  }
});

test("a deleted session leaves the cursor; the last one ends the stream", async () => {
  const client = await open("/v1/events/sse?after=a:3,b:3");
  await client.until("it is connected", ({ comments }) => comments.length > 0);
  await server.logs.delete("a");
  await client.until("the cursor", ({ text }) => text.includes("id: b:3\n\n"));
  await server.logs.appendDeltas("b", 1);
  await client.until("the news", ({ frames }) => frames.length === 1);
  expect(client.ids).toEqual(["b:4"]);
  await server.logs.delete("b");
  await client.ended;
});

test("a slow reader holds few bytes and loses nothing", async () => {
  const client = await open("/v1/events/sse?after=a:0,b:0");
  client.response.pause();
  for (let batch = 0; batch < 50; batch += 1) {
    await server.logs.appendDeltas("a", 500, "x".repeat(200));
    await server.logs.appendDeltas("b", 500, "x".repeat(200));
    await new Promise(setImmediate);
  }
  expect(server.fanOut.counters.peakQueuedBytes).toBeLessThan(512 * 1024);
  client.response.resume();
  await client.until("all", ({ ids }) => ids.at(-1) === "a:25003,b:25003");
  for (const session of ["a", "b"]) {
    const seqs = client.frames.filter(({ data }) => data.session === session).map(({ data }) => data.seq);
    expect(seqs).toEqual(Array.from({ length: 25_003 }, (_, index) => index + 1));
  }
}, 60_000);
