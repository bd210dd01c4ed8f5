/** Who is let in. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { expectProblem } from "../problem-test-support.ts";
import { type RealServer, startRealServer } from "../real-server-test-support.ts";

let server: RealServer;

beforeAll(async () => {
  server = await startRealServer({
    allowedHosts: ["daemon.example"],
    corsOrigins: ["https://app.example"],
    limits: { failureBurst: 1_000_000, requestBurst: 1_000_000 },
  });
  await server.call("POST", "/v1/sessions/known", { body: { agent: "mock" } });
});

afterAll(() => server.close());

describe("token", () => {
  test.each([
    ["none", undefined],
    ["a wrong one", "Bearer wrong"],
    ["a longer one", "Bearer test-token-and-more"],
    ["the beginning of it", "Bearer test"],
    ["an empty one", "Bearer "],
    ["another scheme", "Basic dGVzdC10b2tlbg=="],
    ["no scheme", "test-token"],
  ])("%s is 401", async (_, authorization) => {
    const answer = await server.call("GET", "/v1/sessions", { headers: { authorization } });
    expectProblem(answer, 401, "unauthorized");
    expect(answer.headers["www-authenticate"]).toMatch(/^Bearer/);
  });

  test.each(["Bearer test-token", "bearer test-token", "Token test-token"])(
    "%s is taken",
    async (authorization) => {
      expect((await server.call("GET", "/v1/sessions", { headers: { authorization } })).status).toBe(200);
    },
  );

  test("a token in the query is not taken", async () => {
    const headers = { authorization: undefined };
    for (const name of ["token", "access_token", "key"])
      expectProblem(
        await server.call("GET", `/v1/sessions?${name}=test-token`, { headers }),
        401,
        "unauthorized",
      );
  });

  test("only health, the API's description and the page need none", async () => {
    const headers = { authorization: undefined };
    expect((await server.call("GET", "/v1/health", { headers })).status).toBe(200);
    expect((await server.call("GET", "/v1/openapi.json", { headers })).status).toBe(200);
    expect((await server.call("GET", "/", { headers })).status).toBe(200);
    for (const path of ["/metrics", "/v1/agents", "/v1/feed/sse", "/v1/nothing", "/page", "/v1/health/"])
      expectProblem(await server.call("GET", path, { headers }), 401, "unauthorized");
  });
});

describe("host", () => {
  test.each(["evil.example", "127.0.0.1", "localhost:1", "127.0.0.1.evil.example"])(
    "%s is 403",
    async (host) => {
      expectProblem(await server.call("GET", "/v1/health", { headers: { host } }), 403, "host_not_allowed");
    },
  );

  test("loopback names with the port and configured names are taken", async () => {
    const names = [`127.0.0.1:${server.port}`, `localhost:${server.port}`, `LOCALHOST:${server.port}`];
    for (const host of [...names, `[::1]:${server.port}`, "daemon.example", `daemon.example:${server.port}`])
      expect((await server.call("GET", "/v1/health", { headers: { host } })).status).toBe(200);
  });

  test("a probe by address is answered, and learns only the status", async () => {
    for (const host of ["10.1.2.3:4111", "evil.example", "nodes"])
      for (const path of ["/v1/health/live", "/v1/health/ready"]) {
        const answer = await server.call("GET", path, { headers: { host, authorization: undefined } });
        expect([answer.status, answer.body]).toEqual([200, { status: "ok" }]);
        expect((await server.call("HEAD", path, { headers: { host } })).status).toBe(200);
      }
  });

  test("no other path or method is answered for a foreign host", async () => {
    const headers = { host: "10.1.2.3:4111" };
    const paths = ["/v1/health", "/v1/health/", "/v1/health/ready/", "/v1/health/other", "/v1/sessions", "/"];
    for (const path of [...paths, "/v1/openapi.json", "//v1/health/ready", "/V1/health/ready"])
      expectProblem(await server.call("GET", path, { headers }), 403, "host_not_allowed");
    for (const method of ["POST", "OPTIONS", "DELETE"])
      expectProblem(await server.call(method, "/v1/health/ready", { headers }), 403, "host_not_allowed");
  });

  test("a probe from a foreign page is 403", async () => {
    const headers = { host: "10.1.2.3:4111", origin: "https://evil.example" };
    expectProblem(await server.call("GET", "/v1/health/ready", { headers }), 403, "origin_not_allowed");
  });

  test("one that is no host at all is 400", async () => {
    const answer = await server.call("GET", "/v1/health", { headers: { host: "a b/c" } });
    expectProblem(answer, 400, "invalid_request");
  });
});

describe("origin", () => {
  test.each([
    ["a foreign page", { origin: "https://evil.example" }],
    ["no origin to speak of", { origin: "null" }],
    ["another port of this machine", { origin: "http://localhost:1" }],
    ["a cross-site request that hides it", { "sec-fetch-site": "cross-site" }],
    ["a look-alike", { origin: "https://app.example.evil.example" }],
  ])("%s is 403", async (_, headers) => {
    expectProblem(await server.call("GET", "/v1/sessions", { headers }), 403, "origin_not_allowed");
  });

  test("the daemon's own pages may call", async () => {
    const headers = { origin: `http://127.0.0.1:${server.port}`, "sec-fetch-site": "same-origin" };
    const answer = await server.call("GET", "/v1/sessions", { headers });
    expect(answer.status).toBe(200);
    expect(answer.headers).not.toHaveProperty("access-control-allow-origin");
  });

  test("configured origins may call, also after asking", async () => {
    const origin = "https://app.example";
    const headers = { origin, "sec-fetch-site": "cross-site" };
    const answer = await server.call("GET", "/v1/sessions", { headers });
    expect(answer.status).toBe(200);
    expect(answer.headers["access-control-allow-origin"]).toBe(origin);
    expect(answer.headers.vary).toBe("origin");
    const failed = await server.call("GET", "/v1/sessions/unknown", { headers });
    expect(failed.headers["access-control-allow-origin"]).toBe(origin);
    const asked = await server.call("OPTIONS", "/v1/sessions", {
      headers: { ...headers, authorization: undefined, "access-control-request-method": "POST" },
    });
    expect(asked.status).toBe(204);
    expect(asked.headers["access-control-allow-headers"]).toContain("last-event-id");
    const stream = await server.open("/v1/sessions/known/events/sse", { headers });
    expect(stream.response.headers["access-control-allow-origin"]).toBe(origin);
  });

  test("a foreign page that asks first is refused", async () => {
    const headers = { origin: "https://evil.example", "access-control-request-method": "POST" };
    expectProblem(await server.call("OPTIONS", "/v1/sessions", { headers }), 403, "origin_not_allowed");
  });
});

test("every answer carries the security headers", async () => {
  for (const path of ["/v1/health", "/v1/sessions/unknown", "/v1/nothing"]) {
    const { headers } = await server.call("GET", path);
    expect(headers["x-content-type-options"]).toBe("nosniff");
    expect(headers["referrer-policy"]).toBe("no-referrer");
    expect(headers["content-security-policy"]).toContain("default-src 'none'");
    expect(headers).not.toHaveProperty("set-cookie");
    expect(headers).not.toHaveProperty("x-powered-by");
  }
});

test("the page keeps the policy it needs, beside the other headers", async () => {
  const { headers } = await server.call("GET", "/");
  expect(headers["content-security-policy"]).toContain("script-src 'self'");
  expect(headers["cache-control"]).toBe("no-cache");
  expect(headers["x-content-type-options"]).toBe("nosniff");
});
