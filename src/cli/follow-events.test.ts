import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import { followEvents } from "./follow-events.ts";

let server: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function listen(handler: RequestListener): Promise<{ url: string; token: string }> {
  server = createServer(handler).listen(0, "127.0.0.1");
  await once(server, "listening");
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, token: "secret" };
}

function follow(daemon: { url: string; token: string }, notes: string[] = []) {
  const stop = new AbortController();
  const events = followEvents({
    findDaemon: async () => daemon,
    session: "s1",
    after: 0,
    signal: stop.signal,
    onInterruption: (reason) => notes.push(reason),
  });
  return { stop, events };
}

test("after each interruption it goes on behind the last event it gave", async () => {
  const asked: string[] = [];
  const daemon = await listen((request, response) => {
    asked.push(request.url ?? "");
    const after = Number(new URL(request.url ?? "", "http://x").searchParams.get("after"));
    // Every third connection fails before it gives anything.
    if (asked.length % 3 === 2) return response.writeHead(503).end();
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(`id: ${after + 1}\ndata: {"seq":${after + 1}}\n\nid: ${after + 2}\ndata: {"cut`);
    setImmediate(() => response.destroy());
  });
  const notes: string[] = [];
  const { stop, events } = follow(daemon, notes);
  const seen: string[] = [];
  for await (const event of events) {
    seen.push(event);
    if (seen.length === 4) stop.abort();
  }
  expect(seen).toEqual(['{"seq":1}', '{"seq":2}', '{"seq":3}', '{"seq":4}']);
  expect(asked[0]).toBe("/v1/sessions/s1/events/sse?after=0");
  expect(notes.length).toBeGreaterThanOrEqual(3);
});

test("a refusal is final, with the daemon's own words", async () => {
  const daemon = await listen((_request, response) => {
    response
      .writeHead(404, { "content-type": "application/problem+json" })
      .end(
        JSON.stringify({ status: 404, title: "There is no such session", detail: "There is no session s1." }),
      );
  });
  await expect(follow(daemon).events.next()).rejects.toThrow("There is no session s1.");
});

test("a daemon that never answered is no interruption", async () => {
  const daemon = { url: "http://127.0.0.1:9", token: "secret" };
  await expect(follow(daemon).events.next()).rejects.toThrow(/No answer from http:\/\/127.0.0.1:9/);
});

test("it ends when it is told to, also while it waits for events", async () => {
  const daemon = await listen((_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
    setImmediate(() => stop.abort());
  });
  const { stop, events } = follow(daemon);
  expect(await events.next()).toEqual({ done: true, value: undefined });
});
