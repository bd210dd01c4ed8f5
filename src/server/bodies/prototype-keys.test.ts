/** Keys that clients choose, over a real server: a key like `__proto__` is kept or refused, never dropped without a word. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { expectProblem } from "../problem-test-support.ts";
import { type RealServer, startRealServer } from "../real-server-test-support.ts";

let server: RealServer;

beforeAll(async () => {
  server = await startRealServer({ limits: { requestBurst: 1_000_000 } });
  await server.call("POST", "/v1/sessions/known", { body: { agent: "mock" } });
});

afterAll(() => server.close());

test.each([
  ["POST", "/v1/sessions/a", '{"agent":"mock","env":{"__proto__":"value"}}', "env.__proto__"],
  ["POST", "/v1/sessions/a", '{"agent":"mock","metadata":{"__proto__":{"a":1}}}', "metadata.__proto__"],
  ["POST", "/v1/sessions/a", '{"agent":"mock","options":{"__proto__":{"a":1}}}', "options.__proto__"],
  ["POST", "/v1/sessions/a", '{"agent":"mock","mcpServers":{"__proto__":{}}}', "mcpServers.__proto__"],
  ["POST", "/v1/sessions/a", '{"agent":"mock","__proto__":{}}', "__proto__"],
  ["PATCH", "/v1/sessions/known", '{"env":{"\\u005f_proto__":"value"}}', "env.__proto__"],
  ["PATCH", "/v1/sessions/known", '{"metadata":{"__proto__":1}}', "metadata.__proto__"],
  ["POST", "/v1/sessions/known/asks/a/reply", '{"answers":{"__proto__":"x"}}', "answers.__proto__"],
])("%s %s %s is refused, and the field is named", async (method, path, body, field) => {
  const answer = await server.call(method, path, { body });
  expectProblem(answer, 400, "invalid_request");
  expect(answer.body.errors).toContainEqual({ path: field, message: expect.any(String) });
});

test("keys that every object has are kept as they are", async () => {
  const names = { constructor: "a", toString: "b", hasOwnProperty: "c" };
  const metadata = JSON.parse('{"constructor":1,"toString":{"__proto__":2}}');
  const body = { agent: "mock", env: names, metadata };
  expect((await server.call("POST", "/v1/sessions/kept", { body })).status).toBe(201);
  const { body: session, text } = await server.call("GET", "/v1/sessions/kept");
  expect(session.env).toEqual(["constructor", "hasOwnProperty", "toString"]);
  expect(session.envRequired).toBe(false);
  expect(text).toContain('"metadata":{"constructor":1,"toString":{"__proto__":2}}');
});
