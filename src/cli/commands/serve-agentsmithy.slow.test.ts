/** AgentSmithy's own port of real daemons: how it is found, and when a daemon does not start. */
import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { eventually } from "../../testkit/eventually.ts";
import { run, type Served, serve, stop } from "../test-support.ts";

let directory: string;
let workspace: string;
const running: Served[] = [];

beforeEach(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), "interlingua-smithy-")));
  workspace = join(directory, "workspace");
  mkdirSync(workspace);
});

afterEach(async () => {
  await Promise.all(running.splice(0).map(stop));
  rmSync(directory, { recursive: true, force: true });
});

/** Each name is a data directory. */
function flagsOf(name: string, port: string | number = 0, more: readonly string[] = []): string[] {
  const settings = ["--root", directory, "--agentsmithy-port", String(port)];
  return ["--data", join(directory, name), ...settings, "--agentsmithy-workspace", workspace, ...more];
}

async function serveHere(name = "data", more: readonly string[] = []): Promise<Served & { port: number }> {
  const served = await serve(flagsOf(name, 0, more));
  running.push(served);
  await eventually("the second line", () => served.stdout().split("\n").length > 2);
  return { ...served, port: readStatus().port as number };
}

function readStatus(): Record<string, unknown> {
  return JSON.parse(readFileSync(join(workspace, ".agentsmithy/status.json"), "utf8"));
}

function health(port: number): Promise<Response> {
  return fetch(`http://localhost:${port}/health`);
}

test("is off by default", async () => {
  const served = await serve(["--data", join(directory, "data"), "--root", directory]);
  running.push(served);
  const outcome = await stop(served);
  expect(outcome.stdout).toBe(`${served.link}\n`);
  expect(readdirSync(workspace)).toEqual([]);
});

test("tells who can use it, is found by its status, and says when it has stopped", async () => {
  execFileSync("git", ["init", "-q"], { cwd: workspace });
  const served = await serveHere();
  expect(readStatus()).toMatchObject({
    server_status: "ready",
    server_pid: served.child.pid,
    port: served.port,
    server_error: null,
    config_valid: true,
    config_errors: [],
  });
  const unknown = await fetch(`http://localhost:${served.port}/v1/sessions`);
  expect([unknown.status, await unknown.json()]).toEqual([404, { detail: expect.any(String) }]);
  expect(execFileSync("git", ["status", "--porcelain"], { cwd: workspace, encoding: "utf8" })).toBe("");
  const { code, stdout } = await stop(served);
  expect([code, stdout]).toEqual([
    0,
    `${served.link}\nagentsmithy: http://localhost:${served.port} works in ${workspace}. ` +
      "Every user of this machine can use it without a token.\n",
  ]);
  expect(readStatus()).toMatchObject({ server_status: "stopped" });
  expect(readStatus().server_pid).toBeUndefined();
  await expect(health(served.port)).rejects.toThrow();
});

test("the log of the daemon tells its requests from those of the main port", async () => {
  const served = await serve(flagsOf("data"), { environment: { INTERLINGUA_LOG_LEVEL: "debug" } });
  running.push(served);
  await eventually("the port", () => served.stdout().includes("agentsmithy: "));
  await health(readStatus().port as number);
  await fetch(`${served.url}/v1/health`);
  await eventually("both requests", () => served.stderr().split('"msg":"request"').length > 2);
  const lines = served.stderr().trim().split("\n");
  const requests = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === "request");
  expect(requests.map(({ path, port }) => [path, port])).toEqual([
    ["/health", "agentsmithy"],
    ["/v1/health", undefined],
  ]);
});

test("a second daemon on the workspace does not start and leaves the first one's file alone", async () => {
  const first = await serveHere("first");
  const before = readStatus();
  const second = await run(["serve", "--port", "0", ...flagsOf("second")]);
  expect(second).toEqual({
    code: 1,
    stdout: "",
    stderr: expect.stringContaining(
      `interlingua: Another AgentSmithy server (pid ${first.child.pid}, port ${first.port}) already serves ${workspace}. ` +
        "Stop it, or give another directory with --agentsmithy-workspace.\n",
    ),
  });
  expect(readStatus()).toEqual(before);
});

test("after kill -9 the next daemon replaces what was left", async () => {
  const first = await serveHere();
  first.child.kill("SIGKILL");
  await first.ended;
  expect(readStatus()).toMatchObject({ server_status: "ready", server_pid: first.child.pid });
  const second = await serveHere();
  expect(readStatus()).toMatchObject({ server_status: "ready", server_pid: second.child.pid });
});

test("a pid that another program has by now does not keep it from starting", async () => {
  mkdirSync(join(workspace, ".agentsmithy"));
  const left = { server_status: "ready", server_pid: process.pid, port: 8765 };
  const server_updated_at = "2001-01-01T00:00:00.000000+00:00";
  writeFileSync(join(workspace, ".agentsmithy/status.json"), JSON.stringify({ ...left, server_updated_at }));
  const served = await serveHere();
  expect(readStatus().server_pid).toBe(served.child.pid);
});

/** Not every machine has IPv6. */
const LOOPBACK = Object.values(networkInterfaces())
  .flatMap((found) => found ?? [])
  .map(({ address }) => address)
  .filter((address) => address === "127.0.0.1" || address === "::1");

test.each(LOOPBACK)("a port that is in use at %s is told, with what to do", async (host) => {
  const other = createServer();
  await new Promise<void>((resolve, reject) => other.once("error", reject).listen(0, host, resolve));
  const { port } = other.address() as AddressInfo;
  try {
    const { code, stderr } = await run(["serve", "--port", "0", ...flagsOf("data", port)]);
    const sentence = `Port ${port} of localhost is in use. Stop what uses it, or choose another with --agentsmithy-port (0 picks one).`;
    expect([code, stderr.trim().split("\n").at(-1)]).toEqual([1, `interlingua: ${sentence}`]);
    expect(readStatus()).toMatchObject({ server_status: "error", server_error: sentence });
  } finally {
    other.close();
  }
});

test("a workspace outside the roots is refused", async () => {
  const flags = ["--data", join(directory, "data"), "--root", workspace, "--agentsmithy-port", "0"];
  const { code, stderr } = await run(["serve", ...flags, "--agentsmithy-workspace", directory]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/^interlingua: --agentsmithy-workspace: .* lies outside .* Add it with --root /);
});

test("a conversation goes through it, and stays out of other directories", async () => {
  const served = await serveHere();
  const authorization = `Bearer ${served.token}`;
  const headers = { authorization, "content-type": "application/json" };
  const elsewhere = { id: "elsewhere", agent: "mock", cwd: directory };
  await fetch(`${served.url}/v1/sessions`, { method: "POST", headers, body: JSON.stringify(elsewhere) });
  const messages = [{ role: "user", content: "scenario:text" }];
  const chat = await fetch(`http://localhost:${served.port}/api/chat`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ messages, context: {}, stream: true }),
  });
  expect([chat.status, chat.headers.get("x-request-id")]).toEqual([200, "agentsmithy"]);
  const types = [...(await chat.text()).matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data!).type);
  expect([types[0], types.at(-1)]).toEqual(["user", "done"]);
  const answer = await fetch(`${served.url}/v1/sessions`, { headers: { authorization } });
  const { sessions } = (await answer.json()) as { sessions: { cwd: string; permissionMode?: string }[] };
  expect(sessions.map(({ cwd, permissionMode }) => [cwd, permissionMode])).toEqual([
    [workspace, "default"],
    [directory, undefined],
  ]);
});
