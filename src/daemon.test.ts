import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Daemon, type DaemonOptions, startDaemon } from "./daemon.ts";
import { OWNER_VARIABLE, ownerMarker } from "./process/owner-marker.ts";

let directory: string;
const daemons: Daemon[] = [];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "interlingua-daemon-"));
});

afterEach(async () => {
  await Promise.all(daemons.splice(0).map((daemon) => daemon.close()));
  rmSync(directory, { recursive: true });
});

async function startHere(options: DaemonOptions = {}): Promise<Daemon> {
  const daemon = await startDaemon({ data: directory, port: 0, roots: [directory], ...options });
  daemons.push(daemon);
  return daemon;
}

async function call(
  daemon: Daemon,
  path: string,
  body?: object,
): Promise<{ status: number; answer: unknown }> {
  const response = await fetch(`${daemon.url}${path}`, {
    method: body ? "POST" : "GET",
    headers: { authorization: `Bearer ${daemon.token}`, "content-type": "application/json" },
    body: body && JSON.stringify(body),
  });
  return { status: response.status, answer: await response.json() };
}

test("a daemon lives inside a program, and again on the same data", async () => {
  const first = await startHere();
  expect(await call(first, "/v1/sessions", { id: "s1", agent: "mock" })).toMatchObject({ status: 201 });
  await first.close();
  await first.close();
  await expect(fetch(first.url)).rejects.toThrow();

  const second = await startHere();
  expect(second.token).toBe(first.token);
  expect(await call(second, "/v1/sessions/s1")).toMatchObject({ status: 200, answer: { id: "s1" } });
});

test("several in one program do not get in each other's way", async () => {
  const [one, other] = [await startHere({ data: ":memory:" }), await startHere({ data: ":memory:" })];
  await call(one, "/v1/sessions", { id: "s1", agent: "mock" });
  expect(await call(other, "/v1/sessions/s1")).toMatchObject({ status: 404 });
  expect(one.token).not.toBe(other.token);
});

test("sessions begin where they are told to begin", async () => {
  const daemon = await startHere({ data: ":memory:", roots: [tmpdir()], cwd: directory });
  expect(await call(daemon, "/v1/sessions", { agent: "mock" })).toMatchObject({ answer: { cwd: directory } });
  expect(await call(daemon, "/v1/sessions", { agent: "mock", cwd: "/usr" })).toMatchObject({ status: 403 });
});

test("a start that fails leaves the data directory free", async () => {
  await expect(startHere({ agent: "nobody" })).rejects.toThrow(/--agent/);
  await expect(startHere({ host: "0.0.0.0" })).rejects.toThrow(/INTERLINGUA_TOKEN/);
  expect(readdirSync(directory)).not.toContain("daemon.json");
  await startHere();
});

test("a second one on the same data is refused", async () => {
  const first = await startHere();
  await expect(startHere()).rejects.toThrow(first.url);
});

test("what a dead daemon left running is ended, and nothing else", async () => {
  await (await startHere()).close();
  const daemonId = readFileSync(join(directory, "daemon-id"), "utf8").trim();
  const sleeper = (owner: string) =>
    spawn("/bin/sleep", ["600"], { env: { [OWNER_VARIABLE]: ownerMarker(owner, 1) }, stdio: "ignore" });
  const orphan = sleeper(`${daemonId}/s1`);
  const stranger = sleeper("somebody-else/s1");
  const gone = once(orphan, "exit");
  await Promise.all([once(orphan, "spawn"), once(stranger, "spawn")]);

  await startHere();
  expect((await gone)[1]).toBe("SIGTERM");
  expect(stranger.exitCode ?? stranger.signalCode).toBeNull();
  stranger.kill("SIGKILL");
});
