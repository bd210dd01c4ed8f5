/** A dialect that waits for a whole response: what it gets, and that nothing waits for a client that left. */
import { pino } from "pino";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Daemon, startDaemon } from "../../src/daemon.ts";
import { until } from "../../src/testkit/until.ts";
import { DaemonClient } from "../daemon-client.ts";
import { answer } from "./answer-dialect.ts";

let daemon: Daemon;
let client: DaemonClient;
const errors: string[] = [];

beforeEach(async () => {
  errors.length = 0;
  const logger = pino({ level: "error" }, { write: (line: string) => errors.push(line) });
  daemon = await startDaemon({ data: ":memory:", port: 0, dialects: [answer], logger });
  client = new DaemonClient(daemon);
  await client.call("POST", "/v1/sessions", { id: "a", agent: "mock", options: { pace: 0 } });
});

afterEach(() => daemon.close());

function ask(text: string, signal?: AbortSignal): Promise<Response> {
  return client.request("POST", "/answer/a", { text }, signal);
}

async function openStreams(): Promise<number> {
  const metrics = await (await client.request("GET", "/metrics")).text();
  return Number(/^\w*streams_open (\d+)$/m.exec(metrics)![1]);
}

it("gets the whole text, which no stream carries", async () => {
  const response = await ask("scenario:text");
  expect(response.headers.get("content-length")).not.toBeNull();
  expect(await response.text()).toBe("Hello from the mock agent. This is a short, plain answer.\n");
  expect(await openStreams()).toBe(0);
});

it("gets the text up to an ask", async () => {
  const response = await ask("scenario:approve");
  expect(response.status).toBe(200);
  const { asks } = await client.call<{ asks: { title: string }[] }>("GET", "/v1/asks");
  expect(asks).toHaveLength(1);
  expect((await response.text()).endsWith(`\n${asks[0]!.title}\n`)).toBe(true);
});

it("stops waiting when its client has left", async () => {
  const leaving = new AbortController();
  const asked = ask("scenario:hang", leaving.signal);
  await until(async () => (await openStreams()) === 1);
  leaving.abort();
  await expect(asked).rejects.toThrow("aborted");
  await until(async () => (await openStreams()) === 0);
  expect(errors).toEqual([]);
});

it("is told when the session is deleted", async () => {
  const asked = ask("scenario:hang");
  await until(async () => (await openStreams()) === 1);
  await client.request("DELETE", "/v1/sessions/a");
  const response = await asked;
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ code: "session_not_found" });
});

it("is told when the daemon shuts down", async () => {
  const asked = ask("scenario:hang");
  await until(async () => (await openStreams()) === 1);
  const closing = daemon.close();
  const response = await asked;
  expect(response.status).toBe(503);
  expect(await response.json()).toMatchObject({ code: "shutting_down" });
  await closing;
});
