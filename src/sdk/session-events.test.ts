import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test } from "vitest";
import type { StreamState } from "./follow.ts";
import { HttpClient } from "./http.ts";
import { sessionEvents } from "./session-events.ts";
import type { SessionEvent } from "./types.ts";

let server: Server | undefined;

afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function listen(handler: RequestListener): Promise<HttpClient> {
  server = createServer(handler).listen(0, "127.0.0.1");
  await once(server, "listening");
  return new HttpClient({ baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
}

test("after each interruption it goes on behind the last event it gave", async () => {
  const asked: string[] = [];
  const http = await listen((request, response) => {
    const url = new URL(request.url ?? "", "http://x");
    if (!url.pathname.endsWith("/sse")) return response.end('{"head":0}');
    asked.push(request.url ?? "");
    const after = Number(url.searchParams.get("after"));
    // Every third connection fails before it gives anything.
    if (asked.length % 3 === 2) return response.writeHead(503).end();
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(`id: ${after + 1}\ndata: {"seq":${after + 1}}\n\nid: ${after + 2}\ndata: {"cut`);
    setImmediate(() => response.destroy());
  });
  const states: StreamState["state"][] = [];
  const stop = new AbortController();
  const onState = ({ state }: StreamState) => states.push(state);
  const seen: SessionEvent[] = [];
  for await (const event of sessionEvents(http, "s1", { signal: stop.signal, onState })) {
    seen.push(event);
    if (seen.length === 4) stop.abort();
  }
  expect(seen).toEqual([{ seq: 1 }, { seq: 2 }, { seq: 3 }, { seq: 4 }]);
  expect(asked[0]).toBe("/v1/sessions/s1/events/sse?after=0");
  expect(states.filter((state) => state === "reconnecting").length).toBeGreaterThanOrEqual(3);
});

test("a refusal is final, with the daemon's own words", async () => {
  const problem = { status: 404, code: "session_not_found", detail: "There is no session s1." };
  const http = await listen((_request, response) => {
    response.writeHead(404, { "content-type": "application/problem+json" }).end(JSON.stringify(problem));
  });
  await expect(sessionEvents(http, "s1").next()).rejects.toThrow("There is no session s1.");
});

test("it ends when it is told to, also while it waits for events", async () => {
  const stop = new AbortController();
  const http = await listen((_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
    setImmediate(() => stop.abort());
  });
  const events = sessionEvents(http, "s1", { signal: stop.signal });
  expect(await events.next()).toEqual({ done: true, value: undefined });
});
