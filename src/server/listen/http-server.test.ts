import { Agent, createServer, request } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { pino } from "pino";
import { afterEach, expect, test } from "vitest";
import { openFileLister } from "../../workspace/list-files.ts";
import { AUTHORIZED, call, StreamClient } from "../http-client-test-support.ts";
import {
  SyntheticLogs,
  type SyntheticServer,
  startSyntheticServer,
  testConfig,
} from "../synthetic-server-test-support.ts";
import { startServer } from "./http-server.ts";

let server: SyntheticServer;
afterEach(() => server.close());

test("a request under way is finished, and no other is taken", async () => {
  server = await startSyntheticServer();
  const gate = Promise.withResolvers<void>();
  const { listSessions } = server.logs.store;
  server.logs.store.listSessions = async (query) => {
    await gate.promise;
    return listSessions.call(server.logs.store, query);
  };
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const underWay = call(server.url, "GET", "/v1/sessions");
  const kept = await new Promise<number>((resolve, reject) => {
    const outgoing = request(`${server.url}/v1/health`, { agent }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    outgoing.on("error", reject);
    outgoing.end();
  });
  expect(kept).toBe(200);
  const closing = server.close();
  await expect(call(server.url, "GET", "/v1/health")).rejects.toThrow("ECONNREFUSED");
  gate.resolve();
  expect((await underWay).status).toBe(200);
  await closing;
  agent.destroy();
});

test("a client that does not take its stream does not keep the server from closing", async () => {
  server = await startSyntheticServer({ shutdownMs: 50 });
  await server.logs.create("a");
  const client = await StreamClient.open(server.url, "/v1/sessions/a/events/sse");
  client.response.pause();
  for (let batch = 0; batch < 100; batch += 1) await server.logs.appendDeltas("a", 1000, "x".repeat(100));
  await expect.poll(() => server.fanOut.queuedBytes).toBeGreaterThan(0);
  await server.close();
  client.close();
});

test("a connection that was opened in advance does not keep the server from closing", async () => {
  // Longer than the test may take.
  server = await startSyntheticServer({ shutdownMs: 600_000 });
  const socket = connect(server.port, "127.0.0.1");
  const ended = new Promise((resolve) => socket.once("close", resolve));
  await new Promise((resolve) => socket.once("connect", resolve));
  // Connections are accepted one after the other.
  expect((await call(server.url, "GET", "/v1/health")).status).toBe(200);
  await server.close();
  await ended;
});

test("an address in use is an error", async () => {
  server = await startSyntheticServer();
  const logs = new SyntheticLogs();
  const config = testConfig({ port: server.port });
  await expect(
    startServer({ engine: logs.engine, store: logs.store, dialects: [], config, files: openFileLister() }),
  ).rejects.toThrow("EADDRINUSE");
});

test("behind a proxy that buffers, everything arrives", async () => {
  server = await startSyntheticServer();
  await server.logs.create("a");
  // Passes bytes on only in large blocks, whatever the headers ask for.
  const proxy = createServer((incoming, outgoing) => {
    const upstream = request(`${server.url}${incoming.url}`, { headers: AUTHORIZED }, (response) => {
      outgoing.writeHead(response.statusCode ?? 0, response.headers);
      let held: Buffer[] = [];
      response.on("data", (chunk: Buffer) => {
        held.push(chunk);
        if (held.reduce((sum, { length }) => sum + length, 0) < 16_384) return;
        outgoing.write(Buffer.concat(held));
        held = [];
      });
      response.on("end", () => outgoing.end(Buffer.concat(held)));
    });
    upstream.end();
  });
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const behind = StreamClient.open(url, "/v1/sessions/a/events/sse");
  const direct = await StreamClient.open(server.url, "/v1/sessions/a/events/sse");
  await expect.poll(() => server.fanOut.openStreams).toBe(2);
  for (let batch = 0; batch < 20; batch += 1) await server.logs.appendDeltas("a", 100);
  await direct.until("all", ({ frames }) => frames.length === 2001);
  await server.logs.delete("a");
  const client = await behind;
  await Promise.all([client.ended, direct.ended]);
  expect(client.text).toBe(direct.text);
  proxy.close();
});

test("a client that leaves while its stream is being opened leaves nothing behind", async () => {
  server = await startSyntheticServer();
  await server.logs.create("a");
  const gate = Promise.withResolvers<void>();
  const { getSession } = server.logs.store;
  server.logs.store.getSession = async (id) => {
    await gate.promise;
    return getSession.call(server.logs.store, id);
  };
  const socket = connect(server.port, "127.0.0.1");
  socket.write(
    `GET /v1/sessions/a/events/sse HTTP/1.1\r\nhost: 127.0.0.1:${server.port}\r\nauthorization: ${AUTHORIZED.authorization}\r\n\r\n`,
  );
  await sleep(20);
  socket.resetAndDestroy();
  await sleep(20);
  gate.resolve();
  await expect.poll(() => server.fanOut.openStreams).toBe(0);
  expect(server.fanOut.followedSessions).toBe(0);
});

test("the log says what was asked and what failed, and nothing secret", async () => {
  const lines: string[] = [];
  const logger = pino({ level: "trace" }, { write: (line: string) => void lines.push(line) });
  const logs = new SyntheticLogs();
  logs.store.listSessions = async () => {
    throw new Error("the disk is gone");
  };
  const running = await startServer({
    engine: logs.engine,
    store: logs.store,
    dialects: [],
    config: testConfig({ logger }),
    files: openFileLister(),
  });
  server = Object.assign(running, { logs });
  const answer = await call(server.url, "GET", "/v1/sessions?search=private-words");
  expect([answer.status, answer.body.code]).toEqual([500, "internal"]);
  expect(answer.text).not.toContain("disk");
  await call(server.url, "POST", "/v1/sessions", {
    body: { agent: "x", cwd: "private/words", env: { K: "private-words" } },
  });
  const log = lines.join("");
  expect(log).toContain("the disk is gone");
  expect(log).toContain('"path":"/v1/sessions","status":500');
  expect(log).not.toContain("private-words");
  expect(log).not.toContain("test-token");
});
