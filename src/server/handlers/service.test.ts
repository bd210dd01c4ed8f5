import { afterAll, beforeAll, expect, test } from "vitest";
import { hasPlayMoney } from "../../agents/play-money.ts";
import { AUTHORIZED } from "../http-client-test-support.ts";
import { refusal, V1 } from "../v1-test-support.ts";

let v1: V1;

beforeAll(async () => {
  v1 = await V1.start();
});

afterAll(() => v1.server.close());

test("tells its agents, its usage, its health and its metrics", async () => {
  const session = await v1.createSession();
  await v1.run(session, "scenario:text");
  expect((await v1.call("GET", "/v1/agents")).body).toMatchObject({
    agents: expect.arrayContaining([
      expect.objectContaining({ name: "mock", title: "Mock" }),
      expect.objectContaining({ name: "claude", title: "Claude Code" }),
    ]),
    default: "mock",
  });
  expect((await v1.call("GET", "/v1/agents/mock")).body.status.installed).toBe(true);
  const { unread } = (await v1.call("GET", "/v1/agents/mock")).body;
  expect(unread).toContainEqual({ native: "turn_started.turn", count: 1 });
  const agents: { name: string; capabilities: { playMoney?: true } }[] = (await v1.call("GET", "/v1/agents"))
    .body.agents;
  for (const { name, capabilities } of agents)
    expect(hasPlayMoney(name)).toBe(capabilities.playMoney === true);
  const usage = (await v1.call("GET", `/v1/usage?session=${session}&by=agent`)).body;
  expect(usage.rows).toMatchObject([{ agent: "mock", turns: 1 }]);
  expect(usage.total).toMatchObject({ turns: 1, cost: 0, playCost: expect.any(Number) });
  const byModel = (await v1.call("GET", `/v1/usage?session=${session}&by=model,directory`)).body;
  expect(byModel.rows).toMatchObject([{ model: "mock-large", directory: v1.server.root, turns: 1 }]);
  for (const [path, headers] of [
    ["&format=csv", {}],
    ["", { accept: "text/csv" }],
  ] as const) {
    const url = `${v1.server.url}/v1/usage?session=${session}&by=agent,model${path}`;
    const csv = await fetch(url, { headers: { ...AUTHORIZED, ...headers } });
    expect(csv.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(await csv.text()).toMatch(
      /^agent,model,turns,input,.*,cost,playCost\r\nmock,mock-large,1,.*\r\n$/,
    );
  }
  expect((await v1.call("GET", "/v1/health")).body).toEqual({ status: "ok", version: "0.0.0" });
  for (const path of ["/v1/health/live", "/v1/health/ready"])
    expect((await v1.call("GET", path)).body).toEqual({ status: "ok", version: "0.0.0" });
  const { nodes } = (await v1.call("GET", "/v1/nodes")).body;
  expect(nodes).toMatchObject([{ id: 1, url: v1.server.url, state: "live", self: true }]);
  const metrics = await v1.server.call("GET", "/metrics");
  expect(metrics.text).toContain("interlingua_node_ready 1\n");
  expect(metrics.text).toContain('interlingua_agents_live{agent="mock"} ');
  // Without a cluster there is no lease.
  expect(metrics.text).not.toContain("interlingua_lease_held");
  expect(metrics.headers["content-type"]).toMatch(/^text\/plain; version=0.0.4/);
  expect(metrics.text).toMatch(/^interlingua_events_total \d+$/m);
  expect(metrics.text).toContain(
    'interlingua_agent_unread_total{agent="mock",native="turn_started.turn"} 1\n',
  );
  for (const line of metrics.text.trim().split("\n"))
    expect(line).toMatch(/^(#|interlingua_\w+(\{.*\})? [\d.e+-]+$)/);
});

test("is red while the log cannot be written", async () => {
  const { append } = v1.server.store;
  const session = await v1.createSession();
  v1.server.store.append = async () => {
    throw Object.assign(new Error("no space left"), { retryable: true });
  };
  const failing = await v1.call("PATCH", `/v1/sessions/${session}`, { body: { title: "later" } });
  expect(refusal(failing)).toEqual([507, "store_unavailable"]);
  const red = await v1.call("GET", "/v1/health");
  expect([red.status, red.body.status, red.body.problem]).toEqual([503, "failing", "no space left"]);
  const unready = await v1.call("GET", "/v1/health/ready");
  expect([unready.status, unready.body.status]).toEqual([503, "failing"]);
  const headers = { host: "10.1.2.3:4111" };
  const toStranger = await v1.server.call("GET", "/v1/health/ready", { headers });
  expect([toStranger.status, toStranger.body]).toEqual([503, { status: "failing" }]);
  expect((await v1.call("GET", "/v1/health/live")).status).toBe(200);
  const refused = await v1.call("POST", `/v1/sessions/${session}/messages`, { body: { text: "hello" } });
  expect(refusal(refused)).toEqual([507, "store_unavailable"]);
  expect(refused.headers["retry-after"]).toBe("5");
  v1.server.store.append = append;
  await expect.poll(async () => (await v1.call("GET", "/v1/health")).status).toBe(200);
});
