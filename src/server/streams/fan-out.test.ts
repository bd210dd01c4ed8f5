import { connect, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { InterlinguaError } from "../../core/error.ts";
import { principal } from "../../core/principal.ts";
import { AUTHORIZED, call, StreamClient, TOKEN } from "../http-client-test-support.ts";
import { type SyntheticServer, startSyntheticServer } from "../synthetic-server-test-support.ts";
import type { OpenStream } from "./open-stream.ts";

let server: SyntheticServer;
const clients: StreamClient[] = [];

beforeEach(async () => {
  server = await startSyntheticServer({ requestBurst: 100_000 });
  await server.logs.create("a");
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

/** The bytes a raw socket receives after its request, until they hold `mark`. */
async function rawExchange(request: string, mark: string): Promise<{ text: string; socket: Socket }> {
  const socket = connect(server.port, "127.0.0.1");
  socket.write(request);
  let text = "";
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    text += chunk;
    if (text.includes(mark)) break;
  }
  return { text, socket };
}

describe("one session", () => {
  test("a reader gets what was there and what comes", async () => {
    await server.logs.appendDeltas("a", 3);
    const client = await open("/v1/sessions/a/events/sse");
    await client.until("the log", ({ frames }) => frames.length === 4);
    await server.logs.appendDeltas("a", 2);
    await client.until("the news", ({ frames }) => frames.length === 6);
    expect(client.ids).toEqual(["1", "2", "3", "4", "5", "6"]);
    expect(client.frames.map(({ data }) => data)).toEqual(await server.logs.events("a"));
    expect(client.comments[0]).toBe("connected");
    expect(client.response.headers).toMatchObject({
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-cache",
      "x-accel-buffering": "no",
    });
    expect(client.response.headers).not.toHaveProperty("etag");
    expect(client.text).not.toContain("event:");
  });

  test("a reader that comes back gets exactly the rest, whatever its page began with", async () => {
    await server.logs.appendDeltas("a", 9);
    const resumed = await open("/v1/sessions/a/events/sse?after=2", { "last-event-id": "7" });
    await resumed.until("the rest", ({ frames }) => frames.length === 3);
    expect(resumed.ids).toEqual(["8", "9", "10"]);
    const level = await open("/v1/sessions/a/events/sse?after=10");
    await server.logs.appendDeltas("a", 1);
    await level.until("the news", ({ frames }) => frames.length === 1);
    expect(level.ids).toEqual(["11"]);
  });

  test("an event whose commit was read before its news came is sent once", async () => {
    const news = Promise.withResolvers<void>();
    server.logs.beforePublish = () => news.promise;
    const appending = server.logs.appendDeltas("a", 3);
    const client = await open("/v1/sessions/a/events/sse");
    await client.until("the log", ({ frames }) => frames.length === 4);
    news.resolve();
    await appending;
    await server.logs.appendDeltas("a", 1);
    await client.until("the news", ({ frames }) => frames.length === 5);
    expect(client.ids).toEqual(["1", "2", "3", "4", "5"]);
  });

  test("a hundred readers get identical bytes", async () => {
    const readers = await Promise.all(Array.from({ length: 100 }, () => open("/v1/sessions/a/events/sse")));
    for (let batch = 0; batch < 50; batch += 1) await server.logs.appendDeltas("a", 20, "é\u2028🙂");
    await Promise.all(readers.map((reader) => reader.until("all", ({ frames }) => frames.length === 1001)));
    expect(new Set(readers.map(({ text }) => text)).size).toBe(1);
    expect(readers[0]?.frames.map(({ data }) => data)).toEqual(await server.logs.events("a"));
  });

  test("a reader that stops reading while 200k events pass holds few bytes and gets all of them afterwards", async () => {
    const slow = await open("/v1/sessions/a/events/sse");
    await slow.until("the first", ({ frames }) => frames.length === 1);
    slow.response.pause();
    const watching = await open("/v1/sessions/a/events/sse");
    for (let batch = 0; batch < 200; batch += 1) {
      await server.logs.appendDeltas("a", 1000, "x".repeat(100));
      await new Promise(setImmediate);
    }
    // Another reader of the same session is not held up.
    await watching.until("all", ({ ids }) => ids.at(-1) === "200001");
    const { counters } = server.fanOut;
    // What one socket takes before it is full, and one more write.
    expect(counters.peakQueuedBytes).toBeLessThan(512 * 1024);
    expect(server.fanOut.queuedBytes).toBeLessThan(512 * 1024);
    expect(counters.fellBehind).toBeGreaterThan(0);
    expect(slow.frames.length).toBeLessThan(200_001);
    slow.response.resume();
    await slow.until("all", ({ ids }) => ids.at(-1) === "200001");
    // Who has waited long was told that the stream lives.
    const withoutComments = (text: string) => text.replaceAll(": keep-alive\n\n", "");
    expect(withoutComments(slow.text)).toBe(withoutComments(watching.text));
    expect(slow.frames.length).toBe(200_001);
    expect(counters.peakQueuedBytes).toBeLessThan(512 * 1024);
  }, 120_000);

  test("an event larger than any buffer arrives whole", async () => {
    const client = await open("/v1/sessions/a/events/sse");
    await server.logs.append("a", [{ type: "text.delta", part: "p", delta: "y".repeat(3_000_000) }]);
    await server.logs.appendDeltas("a", 1);
    await client.until("both", ({ frames }) => frames.length === 3);
    expect(client.frames[1]?.data.delta).toHaveLength(3_000_000);
  });

  test("readers that come and go in a storm each get exactly the rest", async () => {
    let writing = true;
    const written = (async () => {
      for (let batch = 0; batch < 200; batch += 1) {
        await server.logs.appendDeltas("a", 10);
        await new Promise(setImmediate);
      }
      writing = false;
    })();
    async function storm(): Promise<string[]> {
      const ids: string[] = [];
      while (writing || ids.length < 2001) {
        const client = await open(`/v1/sessions/a/events/sse?after=${ids.length}`);
        const wanted = Math.min(2001 - ids.length, 1 + Math.floor(Math.random() * 300));
        await client.until("some", ({ frames }) => frames.length >= wanted);
        client.close();
        // What was received after the wish was fulfilled counts as received all the same.
        ids.push(...client.ids);
      }
      return ids;
    }
    const readers = await Promise.all(Array.from({ length: 10 }, storm));
    await written;
    const all = Array.from({ length: 2001 }, (_, index) => String(index + 1));
    for (const ids of readers) expect(ids).toEqual(all);
    await expect.poll(() => server.fanOut.openStreams).toBe(0);
    expect(server.logs.followers("a")).toBe(0);
    expect(server.fanOut.followedSessions).toBe(0);
  });

  test("the stream ends when the session is deleted", async () => {
    const client = await open("/v1/sessions/a/events/sse");
    await client.until("the first", ({ frames }) => frames.length === 1);
    await server.logs.delete("a");
    await client.ended;
    expect(client.response.complete).toBe(true);
    expect(server.fanOut.followedSessions).toBe(0);
  });

  test("a log that cannot be read ends the stream, so that the client resumes", async () => {
    server.logs.store.readEvents = async () => {
      throw new Error("the disk is gone");
    };
    const client = await open("/v1/sessions/a/events/sse");
    await client.ended;
    expect(client.comments.at(-1)).toBe("the log could not be read");
  });

  test("a client that comes back to a damaged log gets an error, which ends a browser's retries", async () => {
    const { store } = server.logs;
    store.readEvents = async () => {
      store.health = () => ({ damagedSessions: ["a"] });
      throw new InterlinguaError("session_damaged", "What is stored of it cannot be read.");
    };
    for (const path of ["/v1/sessions/a/events/sse", "/v1/events/sse?after=a:0"]) {
      store.health = () => ({ damagedSessions: [] });
      await (await open(path)).ended;
      expect(await call(server.url, "GET", path)).toMatchObject({
        status: 500,
        body: { code: "session_damaged" },
      });
    }
    store.readEvents = async () => {
      throw new InterlinguaError("store_busy", "Try again.");
    };
    // For what passes the stream is one to open again.
    await (await open("/v1/sessions/a/events/sse")).ended;
  });
});

describe("clients that are not like the others", () => {
  test("HTTP/1.0, with and without a host", async () => {
    await server.logs.appendDeltas("a", 2);
    for (const host of [`host: 127.0.0.1:${server.port}\r\n`, ""]) {
      const { text, socket } = await rawExchange(
        `GET /v1/sessions/a/events/sse HTTP/1.0\r\n${host}authorization: Token ${TOKEN}\r\n\r\n`,
        "id: 3\n",
      );
      const [head = "", body = ""] = text.split("\r\n\r\n");
      expect(head).toMatch(/^HTTP\/1\.1 200/);
      expect(head.toLowerCase()).not.toContain("transfer-encoding");
      expect(body.split("\n\n").filter((frame) => frame.startsWith("id:"))).toHaveLength(3);
      socket.destroy();
    }
  });

  test("a stream that is pipelined behind another request", async () => {
    const host = `host: 127.0.0.1:${server.port}\r\nauthorization: Bearer ${TOKEN}\r\n`;
    const { text, socket } = await rawExchange(
      `GET /v1/health HTTP/1.1\r\n${host}\r\nGET /v1/sessions/a/events/sse HTTP/1.1\r\n${host}\r\n`,
      "id: 1\n",
    );
    expect(text.match(/HTTP\/1\.1 200/g)).toHaveLength(2);
    expect(text.indexOf('"status":"ok"')).toBeLessThan(text.indexOf("text/event-stream"));
    socket.destroy();
  });

  test("HEAD asks for the headers only", async () => {
    const response = await fetch(`${server.url}/v1/sessions/a/events/sse`, {
      method: "HEAD",
      headers: AUTHORIZED,
    });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toContain("text/event-stream");
    expect(server.fanOut.openStreams).toBe(0);
  });

  test("a connection is used again after a stream has ended on it", async () => {
    const host = `host: 127.0.0.1:${server.port}\r\nauthorization: Bearer ${TOKEN}\r\n`;
    const { text, socket } = await rawExchange(
      `GET /v1/sessions/a/events/sse HTTP/1.1\r\n${host}\r\n`,
      "id: 1\n",
    );
    expect(text).toContain("200 OK");
    await server.logs.delete("a");
    let rest = "";
    socket.on("data", (chunk) => {
      rest += chunk;
    });
    await expect.poll(() => rest).toContain("\r\n0\r\n\r\n");
    socket.write(`GET /v1/health HTTP/1.1\r\n${host}\r\n`);
    await expect.poll(() => rest).toContain('"status":"ok"');
    socket.destroy();
  });
});

describe("limits", () => {
  test("a quiet stream gets comments", async () => {
    await server.close();
    server = await startSyntheticServer({ keepAliveMs: 20 });
    await server.logs.create("a");
    const client = await open("/v1/sessions/a/events/sse");
    await client.until(
      "comments",
      ({ comments }) => comments.filter((text) => text === "keep-alive").length > 2,
    );
  });

  test("a stream whose token has expired ends with the next sweep", async () => {
    await server.close();
    server = await startSyntheticServer({ keepAliveMs: 20 });
    const ended: unknown[][] = [];
    const open = (expiresAt?: number) => {
      const access = { name: "owner", role: "observer", expiresAt } as const;
      const end = (...how: unknown[]) => ended.push([expiresAt, ...how]);
      const stream = { caller: principal("anna", "v1", access), end, keepAlive() {}, onClose() {} };
      server.fanOut.openChannel({ ...stream, queuedBytes: 0 } as unknown as OpenStream);
    };
    for (const expiresAt of [undefined, Date.now() + 3_600_000, 1]) open(expiresAt);
    await expect.poll(() => ended[0]).toEqual([1, "the token has expired", 4001]);
    expect(ended.every(([expiresAt]) => expiresAt === 1)).toBe(true);
  });

  test("there is a most of open streams", async () => {
    await server.close();
    server = await startSyntheticServer({ maxStreams: 2 });
    await server.logs.create("a");
    const first = await open("/v1/sessions/a/events/sse");
    await open("/v1/feed/sse");
    await expect(open("/v1/sessions/a/events/sse")).rejects.toThrow("status 429");
    first.close();
    await expect.poll(() => server.fanOut.openStreams).toBe(1);
    await open("/v1/sessions/a/events/sse");
  });

  test("closing ends every stream with a last comment", async () => {
    const client = await open("/v1/sessions/a/events/sse");
    await client.until("the first", ({ frames }) => frames.length === 1);
    await server.close();
    await client.ended;
    expect(client.comments.at(-1)).toBe("the daemon is shutting down");
    expect(client.response.complete).toBe(true);
  });
});
