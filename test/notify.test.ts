/** Notifications with a real daemon, the mock and real receivers on loopback. */
import { spawn } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pino } from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Daemon, startDaemon } from "../src/daemon.ts";
import { TOKEN } from "../src/server/http-client-test-support.ts";
import { isSigned, Receiver } from "../src/server/notify/receiver.test-support.ts";
import { until } from "../src/testkit/until.ts";
import { DaemonClient } from "./daemon-client.ts";

const SECRET = "s".repeat(32);
const PROGRAM = resolve(import.meta.dirname, "../bin/interlingua.js");

let directory: string;
let daemon: Daemon | undefined;
let client: DaemonClient;
let log: string;

beforeEach(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), "interlingua-notify-")));
  log = "";
});

afterEach(async () => {
  await daemon?.close();
  daemon = undefined;
  rmSync(directory, { recursive: true });
});

async function start(notify: object[]): Promise<void> {
  daemon = await startDaemon({
    ...{ data: ":memory:", port: 0, token: TOKEN, roots: [directory], checkpoints: "off" },
    notify: notify as never,
    environment: { ...process.env, NOTIFY_SECRET: SECRET },
    logger: pino(
      { level: "trace" },
      {
        write(line: string) {
          log += line;
        },
      },
    ),
  });
  client = new DaemonClient(daemon);
}

async function metric(name: string): Promise<string[]> {
  const text = await (await client.request("GET", "/metrics")).text();
  return text.split("\n").filter((line) => line.startsWith(`interlingua_${name}`));
}

test("an ask, its turn and an agent that dies are told, signed, to whoever wants that", async () => {
  await using all = await Receiver.start();
  await using asks = await Receiver.start();
  await start([
    { url: `${all.url}/hook`, secret: "$NOTIFY_SECRET", page: "https://box.example.com/" },
    { url: `${asks.url}/hook`, events: ["ask"] },
  ]);
  await client.call("POST", "/v1/sessions", { id: "demo", agent: "mock", title: "Tidy up" });
  await client.prompt("demo", "scenario:approve PRIVATE");
  await until(() => all.received.length === 1);
  const [ask] = all.contents() as [{ ask: { id: string } }];
  expect(ask).toEqual({
    ...{ event: "ask", session: "demo", agent: "mock", title: "Tidy up" },
    ...{ agentTitle: expect.any(String), at: expect.any(Number) },
    ask: { id: expect.any(String), kind: "permission", title: "Run npm test" },
    link: "https://box.example.com/#/sessions/demo",
  });
  await client.call("POST", `/v1/sessions/demo/asks/${ask.ask.id}/reply`, { reply: "once" });
  await until(() => all.received.length === 2);
  await client.prompt("demo", "scenario:error");
  await until(() => all.received.length === 3);
  await client.prompt("demo", "scenario:crash");
  await until(() => all.contents().some(({ event }) => event === "agent_failed"));
  await until(
    async () => (await metric("notifications_waiting"))[0] === "interlingua_notifications_waiting 0",
  );
  const told = all.contents().map(({ event }) => event);
  expect(told.slice(0, 3)).toEqual(["ask", "turn_ended", "turn_failed"]);
  expect(told.slice(3).sort()).toEqual(["agent_failed", "turn_failed"]);
  expect(all.received.every((received) => isSigned(received, SECRET))).toBe(true);
  expect(all.received.map(({ body }) => body).join()).not.toContain("PRIVATE");
  expect(asks.contents().map(({ event }) => event)).toEqual(["ask"]);
  expect(asks.received[0]!.headers["x-interlingua-signature"]).toBeUndefined();
  expect(await metric("notifications_total")).toEqual([
    'interlingua_notifications_total{outcome="delivered"} 6',
    'interlingua_notifications_total{outcome="failed"} 0',
    'interlingua_notifications_total{outcome="dropped"} 0',
    'interlingua_notifications_total{outcome="settled"} 0',
  ]);
  expect(log).not.toContain(SECRET);
});

test("receivers that sleep, refuse, redirect or are dead delay no turn, and do not stop a daemon from closing", async () => {
  await using elsewhere = await Receiver.start();
  await using slow = await Receiver.start();
  await using refusing = await Receiver.start();
  await using redirecting = await Receiver.start();
  const dead = await Receiver.start();
  const deadUrl = dead.url;
  await dead[Symbol.asyncDispose]();
  slow.answer = () => {};
  refusing.answer = (response) => response.writeHead(403).end();
  redirecting.answer = (response) => response.writeHead(307, { location: elsewhere.url }).end();
  await start([
    { url: `${slow.url}/PASSWORD` },
    { url: `${refusing.url}/PASSWORD` },
    { url: `${redirecting.url}/PASSWORD` },
    { url: `${deadUrl}/PASSWORD` },
  ]);
  await client.call("POST", "/v1/sessions", { id: "demo", agent: "mock" });
  for (let turn = 1; turn <= 3; turn += 1) {
    await client.prompt("demo", "scenario:text");
    await until(async () => {
      const view = await client.call<{ status: string }>("GET", "/v1/sessions/demo");
      return view.status === "idle" && refusing.received.length === turn;
    });
  }
  // The slow one still holds what it got: two at most.
  expect(slow.received.length).toBeLessThanOrEqual(2);
  await until(() => redirecting.received.length === 3);
  expect(elsewhere.received).toEqual([]);
  await until(
    async () => (await metric('notifications_total{outcome="failed"}'))[0]?.endsWith(" 6") === true,
  );
  // One line for each target that fails, not one for each notification.
  const lines = log.split("\n").filter((line) => line.includes("a notification could not be delivered"));
  const failing = lines.map((line) => JSON.parse(line).target);
  expect(failing).toEqual(expect.arrayContaining([refusing.url, redirecting.url, deadUrl]));
  expect(new Set(failing).size).toBe(failing.length);
  expect(log).not.toContain("PASSWORD");
  await daemon!.close();
  daemon = undefined;
  expect(slow.received.length).toBeLessThanOrEqual(2);
});

test("a turn_ended that failed held a fresh ask back, and an ask that was answered meanwhile was still told", async () => {
  await using receiver = await Receiver.start();
  receiver.answer = (response) =>
    response.writeHead(JSON.parse(receiver.received.at(-1)!.body).event === "ask" ? 204 : 503).end();
  await using askless = await Receiver.start();
  askless.answer = (response) => response.writeHead(503).end();
  await start([{ url: `${receiver.url}/hook` }, { url: `${askless.url}/hook`, events: ["ask"] }]);
  await client.call("POST", "/v1/sessions", { id: "demo", agent: "mock" });
  await client.prompt("demo", "scenario:text");
  await until(() => receiver.contents().some(({ event }) => event === "turn_ended"));
  await client.prompt("demo", "scenario:approve");
  await until(() => receiver.contents().some(({ event }) => event === "ask") && askless.received.length > 0);
  const told = receiver.contents().find(({ event }) => event === "ask") as { ask: { id: string } };
  await client.call("POST", `/v1/sessions/demo/asks/${told.ask.id}/reply`, { reply: "once" });
  await until(
    async () => (await metric('notifications_total{outcome="settled"}'))[0]?.endsWith(" 1") === true,
  );
  expect((await metric('notifications_total{outcome="delivered"}'))[0]).toMatch(/ 1$/);
});

test("a config that cannot work ends the start with the setting and the remedy", async () => {
  await expect(start([{ url: "http://example.com/hook" }])).rejects.toThrow("notify.0.url: http leaves");
});

test("a test is sent from the command line, which says who did not take it", async () => {
  await using receiver = await Receiver.start();
  await using refusing = await Receiver.start();
  refusing.answer = (response) => response.writeHead(403).end();
  const config = join(directory, "config.json");
  const run = async (...args: string[]) => {
    const child = spawn(process.execPath, [PROGRAM, "notify", "test", "--config", config, ...args], {
      env: { ...process.env, NOTIFY_SECRET: SECRET, INTERLINGUA_DATA: directory },
    });
    let [stdout, stderr] = ["", ""];
    child.stdout.on("data", (chunk) => {
      stdout += chunk;
    });
    child.stderr.on("data", (chunk) => {
      stderr += chunk;
    });
    const code = await new Promise<number | null>((done) => child.once("close", done));
    return { code, stdout, stderr };
  };
  const targets = [{ url: `${receiver.url}/PASSWORD`, secret: "$NOTIFY_SECRET", format: "json" }];
  writeFileSync(config, JSON.stringify({ notify: targets }));
  expect(await run()).toMatchObject({ code: 0, stdout: expect.stringContaining("delivered") });
  expect(receiver.contents()).toMatchObject([{ event: "test" }]);
  expect(isSigned(receiver.received[0]!, SECRET)).toBe(true);
  writeFileSync(config, JSON.stringify({ notify: [...targets, { url: refusing.url, format: "slack" }] }));
  const { code, stdout } = await run("--json");
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject([
    { target: receiver.url, state: "delivered", detail: "answered 204" },
    { target: refusing.url, format: "slack", state: "failed", detail: "answered 403" },
  ]);
  expect(stdout).not.toContain("PASSWORD");
  writeFileSync(config, "{}");
  expect(await run()).toMatchObject({ code: 0, stderr: expect.stringContaining("Nobody is notified") });
});

test("a fork told the ends of the turns that it copied once more", async () => {
  await using receiver = await Receiver.start();
  await start([{ url: `${receiver.url}/hook` }]);
  await client.call("POST", "/v1/sessions", { id: "demo", agent: "mock" });
  await client.prompt("demo", "scenario:text");
  await until(() => receiver.received.length === 1);
  const copy = await client.call<{ id: string }>("POST", "/v1/sessions/demo/fork", {});
  await client.prompt(copy.id, "scenario:error");
  await until(() => receiver.contents().some(({ event }) => event === "turn_failed"));
  await until(
    async () => (await metric("notifications_waiting"))[0] === "interlingua_notifications_waiting 0",
  );
  expect(receiver.contents().map(({ event }) => event)).toEqual(["turn_ended", "turn_failed"]);
});
