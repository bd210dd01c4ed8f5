/** What a client may send at most. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RealServer, startRealServer } from "../real-server-test-support.ts";
import { BodyMemory } from "./read-json-body.ts";

let server: RealServer;

beforeAll(async () => {
  server = await startRealServer({ limits: { requestBurst: 1_000_000 } });
  await server.call("POST", "/v1/sessions/known", { body: { agent: "mock" } });
});

afterAll(() => server.close());

function keys(count: number, value: unknown = 1): Record<string, unknown> {
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [`KEY_${n}`, value]));
}

function nested(levels: number): unknown {
  return levels === 0 ? {} : { a: nested(levels - 1) };
}

test("a body of very many unknown keys is refused before it is parsed, not a 500", async () => {
  const { status, body } = await server.call("POST", "/v1/sessions", {
    body: { agent: "mock", ...keys(50_000) },
  });
  expect([status, body.code]).toEqual([413, "body_too_complex"]);
});

test("of many wrong fields the first are named", async () => {
  const { status, body } = await server.call("POST", "/v1/sessions", {
    body: { agent: "mock", ...keys(5000) },
  });
  expect(status).toBe(400);
  expect(body.errors).toHaveLength(20);
  expect(body.errors[0]).toEqual({ path: "KEY_0", message: "is not a known field" });
});

test("a body that is not a prompt may not be as large as one", async () => {
  const metadata = { note: "x".repeat(2_000_000) };
  const { status, body } = await server.call("POST", "/v1/sessions", { body: { agent: "mock", metadata } });
  expect([status, body.code]).toEqual([413, "body_too_large"]);
});

describe("fields of a session", () => {
  test.each([
    ["metadata", { note: "x".repeat(70_000) }],
    ["metadata", keys(1001)],
    ["metadata", { list: Array.from({ length: 1001 }, () => 1) }],
    ["metadata", nested(40)],
    ["options", { note: "x".repeat(300_000) }],
    ["mcpServers", { note: "x".repeat(300_000) }],
    ["env", keys(1001, "v")],
    ["env", { NAME: "x".repeat(140_000) }],
  ])("%s that is too much is a 400 that names it", async (field, value) => {
    const { status, body } = await server.call("POST", "/v1/sessions", {
      body: { agent: "mock", [field]: value },
    });
    expect([status, body.code]).toEqual([400, "invalid_request"]);
    expect(body.errors.map(({ path }: { path: string }) => path)).toEqual([field]);
  });

  test("metadata that is changed has the same limits", async () => {
    const { status, body } = await server.call("PATCH", "/v1/sessions/known", {
      body: { metadata: keys(1001) },
    });
    expect([status, body.errors[0].path]).toEqual([400, "metadata"]);
  });

  test("env that is added in small pieces stays within the limit of a session", async () => {
    const first = await server.call("PATCH", "/v1/sessions/known", { body: { env: keys(900, "v") } });
    expect(first.status).toBe(200);
    const env = Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`MORE_${n}`, "v"]));
    const { status, body } = await server.call("PATCH", "/v1/sessions/known", { body: { env } });
    expect([status, body.errors[0].path]).toEqual([400, "env"]);
  });

  test("a prompt of very many parts is a 400 that names them", async () => {
    const parts = Array.from({ length: 1001 }, () => ({ type: "text", text: "x" }));
    const { status, body } = await server.call("POST", "/v1/sessions/known/messages", { body: { parts } });
    expect([status, body.errors[0].path]).toEqual([400, "parts"]);
  });
});

test("requests that are too much together are refused, and taken again when others are done", async () => {
  const memory = new BodyMemory(10);
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const first = memory.during(async (note) => {
    note(8);
    await held;
  });
  await expect(memory.during(async (note) => note(3))).rejects.toMatchObject({ code: "too_many_requests" });
  release();
  await first;
  await expect(memory.during(async (note) => note(10))).resolves.toBeUndefined();
});
