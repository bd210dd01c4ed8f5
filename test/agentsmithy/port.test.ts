/** The port of its own: no token, so nothing but programs of this machine, one workspace, and no permissions. */
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { connect } from "node:net";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Daemon, type DaemonOptions, startDaemon } from "../../src/daemon.ts";
import { call } from "../../src/server/http-client-test-support.ts";
import { until } from "../../src/testkit/until.ts";
import { DaemonClient } from "../daemon-client.ts";
import { OwnerView, SmithyClient, SmithyProject, textOf } from "./smithy-client.ts";

let project: SmithyProject;
let daemon: Daemon;
let client: SmithyClient;
let owner: DaemonClient;

async function start(options: Partial<DaemonOptions> = {}): Promise<void> {
  const { data, root } = project;
  daemon = await startDaemon({
    port: 0,
    data,
    roots: [root],
    agentsmithyPort: 0,
    agentsmithyWorkspace: root,
    ...options,
  });
  client = new SmithyClient(daemon.agentSmithyUrl!);
  owner = new DaemonClient(daemon);
}

beforeEach(async () => {
  project = new SmithyProject();
  await start();
});

afterEach(async () => {
  await daemon.close();
  project[Symbol.dispose]();
});

const statusFile = () => join(project.root, ".agentsmithy/status.json");
const status = () => JSON.parse(readFileSync(statusFile(), "utf8"));

test("the extension finds it by the status file, and learns when it stops", async () => {
  expect(status()).toEqual({
    server_status: "ready",
    server_pid: process.pid,
    port: Number(new URL(daemon.agentSmithyUrl!).port),
    server_started_at: expect.any(String),
    server_updated_at: expect.any(String),
    server_error: null,
    config_valid: true,
    config_errors: [],
  });
  expect((await client.call("GET", "/health")).body).toMatchObject({
    port: status().port,
    config_valid: true,
  });
  await daemon.close();
  expect(status()).toMatchObject({ server_status: "stopped", server_pid: null, port: null });
});

test("it needs no token, works in its workspace, and shows nothing else of the daemon", async () => {
  const { events } = await client.say("scenario:todo");
  expect(events.at(-1)).toMatchObject({ type: "done" });
  expect(project.read("main.py")).toBeDefined();
  const { sessions } = await owner.call<{ sessions: { cwd: string; permissionMode: string }[] }>(
    "GET",
    "/v1/sessions",
  );
  expect(sessions).toMatchObject([{ cwd: project.root, permissionMode: "default" }]);
  for (const path of [
    "/",
    "/v1/sessions",
    "/v1/health",
    "/docs",
    "/metrics",
    "/agentsmithy/health",
    "/api/chat/x/messages",
  ])
    expect((await client.call("GET", path)).status, path).toBe(404);
});

describe("sessions it does not serve", () => {
  async function expectHidden(session: Record<string, unknown>): Promise<void> {
    await owner.call("POST", "/v1/sessions", { agent: "mock", ...session });
    const all = new SmithyClient(`${daemon.url}/agentsmithy`, daemon.token);
    const { id } = (await all.call("GET", "/api/dialogs")).body.dialogs[0];
    expect((await client.call("GET", "/api/dialogs")).body.dialogs).toEqual([]);
    for (const [method, path, body] of [
      ["GET", `/api/dialogs/${id}`],
      ["GET", `/api/dialogs/${id}/history`],
      ["GET", `/api/dialogs/${id}/session`],
      ["PATCH", `/api/dialogs/current?id=${id}`],
      ["PATCH", `/api/dialogs/${id}`, { title: "x" }],
      ["DELETE", `/api/dialogs/${id}`],
      ["POST", `/api/dialogs/${id}/reset`],
      ["POST", "/api/chat", { messages: [{ role: "user", content: "hi" }], dialog_id: id }],
    ] as const)
      expect((await client.call(method, path, body)).status, `${method} ${path}`).toBe(404);
  }

  test("those of other directories", async () => {
    mkdirSync(join(project.root, "inner"));
    await expectHidden({ cwd: join(project.root, "inner") });
  });

  test("those that run without permissions", () =>
    expectHidden({ cwd: project.root, permissionMode: "bypass" }));
});

test("permissions and plans are given elsewhere", async () => {
  await client.say("scenario:plan");
  const waiting = await client.say("yes");
  expect(textOf(waiting.events)).toContain("Your message waits until this is answered");
  const { asks } = await owner.call<{ asks: unknown[] }>("GET", "/v1/asks");
  expect(asks).toHaveLength(1);
});

test("whoever stops a turn here has a name of its own", async () => {
  const leaving = new AbortController();
  const response = await client.post(
    { messages: [{ role: "user", content: "scenario:hang" }] },
    leaving.signal,
  );
  await response.body!.getReader().read();
  leaving.abort();
  const view = new OwnerView(daemon);
  await until(async () => (await view.log()).some(({ type }) => type === "turn.stopping"));
  expect((await view.log()).find(({ type }) => type === "turn.stopping")).toMatchObject({
    by: "agentsmithy-port",
  });
});

describe("what comes from a page of a browser is refused", () => {
  const post = { body: { messages: [{ role: "user", content: "scenario:text" }] } };
  test.each([
    ["an origin", { origin: "https://evil.example" }, 403],
    ["its own origin", { origin: "http://localhost" }, 403],
    ["no origin of its own", { origin: "null" }, 403],
    ["another site", { "sec-fetch-site": "cross-site" }, 403],
    ["the same site", { "sec-fetch-site": "same-origin" }, 403],
    ["a rebound name", { host: "evil.example" }, 403],
    ["a name without its port", { host: "localhost" }, 403],
    ["another port", { host: "localhost:1" }, 403],
    ["a form", { "content-type": "text/plain" }, 415],
    ["no type", { "content-type": undefined }, 415],
  ])("%s", async (_, headers, refused) => {
    const answer = await call(daemon.agentSmithyUrl!, "POST", "/api/chat", {
      ...post,
      headers: { authorization: undefined, ...headers },
    });
    expect(answer).toMatchObject({ status: refused, body: { detail: expect.any(String) } });
    expect(answer.headers).not.toHaveProperty("access-control-allow-origin");
    const { sessions } = await owner.call<{ sessions: unknown[] }>("GET", "/v1/sessions");
    expect(sessions).toEqual([]);
  });

  test("but a program, and an address that a person typed, are not", async () => {
    for (const headers of [{}, { "sec-fetch-site": "none" }, { host: new URL(daemon.agentSmithyUrl!).host }])
      expect(
        (
          await call(daemon.agentSmithyUrl!, "GET", "/health", {
            headers: { authorization: undefined, ...headers },
          })
        ).status,
      ).toBe(200);
  });
});

test("it listens on loopback alone, whatever the daemon does", async () => {
  await daemon.close();
  await start({ host: "0.0.0.0", token: "a-token-that-is-long-enough", allowHosts: ["box.example.com"] });
  const { port } = new URL(daemon.agentSmithyUrl!);
  expect((await client.call("GET", "/health")).status).toBe(200);
  const outside = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, family }) => !internal && family === "IPv4");
  for (const { address } of outside) {
    const refused = await new Promise<boolean>((resolve) => {
      const socket = connect(Number(port), address);
      socket.once("connect", () => resolve(false));
      socket.once("error", () => resolve(true));
    });
    expect(refused, address).toBe(true);
  }
});

test("it is off unless it is asked for", async () => {
  await daemon.close();
  rmSync(join(project.root, ".agentsmithy"), { recursive: true });
  await start({ agentsmithyPort: undefined, agentsmithyWorkspace: undefined });
  expect(daemon.agentSmithyUrl).toBeUndefined();
  expect(existsSync(statusFile())).toBe(false);
});

test("a link in place of its folder is not followed", async () => {
  await daemon.close();
  rmSync(join(project.root, ".agentsmithy"), { recursive: true });
  symlinkSync(project.data, join(project.root, ".agentsmithy"));
  await expect(start()).rejects.toThrow(/--agentsmithy-workspace: .*\.agentsmithy is no directory/);
  expect(existsSync(join(project.data, "status.json"))).toBe(false);
});
