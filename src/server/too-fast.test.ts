import { afterEach, expect, test } from "vitest";
import { type RealServer, startRealServer } from "./real-server-test-support.ts";

let server: RealServer;
afterEach(() => server.close());

test("too many requests are 429 and say when to come back", async () => {
  server = await startRealServer({ limits: { requestsPerSecond: 0.001, requestBurst: 5 } });
  const answers = await Promise.all(Array.from({ length: 8 }, () => server.call("GET", "/v1/health")));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 429, 429, 429]);
  const refused = answers.find(({ status }) => status === 429);
  expect(refused?.body.code).toBe("too_many_requests");
  expect(Number(refused?.headers["retry-after"])).toBeGreaterThan(0);
});

test("a flood of requests through a load balancer does not fail its probes", async () => {
  server = await startRealServer({ limits: { requestsPerSecond: 0.001, requestBurst: 1 } });
  const statuses = async (path: string) => {
    const answers = await Promise.all([1, 2, 3].map(() => server.call("GET", path)));
    return answers.map(({ status }) => status).sort();
  };
  expect(await statuses("/v1/health")).toEqual([200, 429, 429]);
  for (const path of ["/v1/health/ready", "/v1/health/live"])
    expect(await statuses(path)).toEqual([200, 200, 200]);
});

test("too many wrong tokens are 429, and do not lock out who has the right one", async () => {
  server = await startRealServer({ limits: { failuresPerSecond: 0.001, failureBurst: 2 } });
  const headers = { authorization: "Bearer wrong" };
  const statuses: number[] = [];
  for (let n = 0; n < 4; n += 1) statuses.push((await server.call("GET", "/v1/agents", { headers })).status);
  expect(statuses).toEqual([401, 401, 429, 429]);
  expect((await server.call("GET", "/v1/agents")).status).toBe(200);
  const metrics = await server.call("GET", "/metrics");
  expect(metrics.text).toContain('interlingua_http_refused_total{code="unauthorized"} 2');
});

test("a client working normally is never refused", async () => {
  server = await startRealServer();
  // Not all at once: on a busy machine a connection that waits for 15 seconds with its headers is closed.
  for (let round = 0; round < 30; round += 1) {
    const answers = await Promise.all(Array.from({ length: 50 }, () => server.call("GET", "/v1/health")));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  }
});
