import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { keepDaemonId, readPlainDaemonId } from "./config/daemon-id.ts";
import { SessionRoots } from "./config/session-roots.ts";
import { type Daemon, type DaemonOptions, startDaemon } from "./daemon.ts";
import { findMarkedProcesses } from "./process/marked-processes.ts";
import { OWNER_VARIABLE, ownerMarker } from "./process/owner-marker.ts";
import { type ProcessIdentity, processTable } from "./process/process-table.ts";
import { readDaemonInfo } from "./store/sqlite/data-directory-lock.ts";
import { until } from "./testkit/until.ts";

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

test("what was opened for a session is closed when it is deleted by a daemon that opens nothing", async () => {
  const outside = mkdtempSync(join(tmpdir(), "interlingua-outside-"));
  const [root, data] = [join(directory, "root"), join(directory, "data")];
  mkdirSync(root);
  const wish = { id: "s1", agent: "mock", cwd: outside };
  const start = (canAddRoots: boolean) => startHere({ data, roots: [root], canAddRoots });
  const first = await start(true);
  new SessionRoots(data).allow("s1", realpathSync(outside));
  expect(await call(first, "/v1/sessions", wish)).toMatchObject({ status: 201 });
  await first.close();

  const second = await start(false);
  const headers = { authorization: `Bearer ${second.token}` };
  await fetch(`${second.url}/v1/sessions/s1`, { method: "DELETE", headers });
  expect(readdirSync(join(data, "session-roots"))).toEqual([]);
  await second.close();

  new SessionRoots(data).allow("s1", realpathSync(outside));
  const third = await start(true);
  expect(await call(third, "/v1/sessions", wish)).toMatchObject({ status: 403 });
  rmSync(outside, { recursive: true });
});

test("a start that fails leaves the data directory free", async () => {
  await expect(startHere({ agent: "nobody" })).rejects.toThrow(/--agent/);
  await expect(startHere({ host: "0.0.0.0" })).rejects.toThrow(/INTERLINGUA_TOKEN/);
  expect(readdirSync(directory)).not.toContain("daemon.json");
  await startHere();
});

test("temporary files of a daemon that was killed are removed at the next start", async () => {
  mkdirSync(join(directory, "temporary", "git-files-x", "objects"), { recursive: true });
  await startHere();
  expect(readdirSync(directory)).not.toContain("temporary");
});

test("a second one on the same data is refused", async () => {
  const first = await startHere();
  await expect(startHere()).rejects.toThrow(first.url);
});

const DEAD = { pid: 1, startTime: "earlier" };

/** A process with the mark of a daemon. */
async function sleeper(owner: string, daemon: ProcessIdentity): Promise<ChildProcess> {
  const environment = { [OWNER_VARIABLE]: ownerMarker(owner, daemon, 1) };
  const child = spawn("/bin/sleep", ["600"], { env: environment, stdio: "ignore" });
  await once(child, "spawn");
  return child;
}

/** A process that is not ours and lives: the daemon another one takes for the owner. */
async function anotherDaemon(): Promise<{ child: ChildProcess; identity: ProcessIdentity }> {
  const child = spawn("/bin/sleep", ["600"], { stdio: "ignore" });
  await once(child, "spawn");
  return { child, identity: processTable.read(child.pid!)! };
}

test("what a dead daemon left running is ended, and nothing else", async () => {
  await (await startHere()).close();
  const orphan = await sleeper(`${keepDaemonId(directory)}/s1`, DEAD);
  const stranger = await sleeper("somebody-else/s1", DEAD);
  const gone = once(orphan, "exit");

  await startHere();
  expect((await gone)[1]).toBe("SIGTERM");
  expect(stranger.exitCode ?? stranger.signalCode).toBeNull();
  stranger.kill("SIGKILL");
});

test("starting a copy of the data directory does not end the agents of the original", async () => {
  const original = await startHere();
  await call(original, "/v1/sessions", { id: "s1", agent: "mock" });
  await call(original, "/v1/sessions/s1/messages", { id: "m1", text: "hang" });
  const agents = () => findMarkedProcesses(keepDaemonId(directory));
  await until(async () => (await agents()).leftover.length > 0);
  const before = await agents();

  const copy = mkdtempSync(join(tmpdir(), "interlingua-copy-"));
  try {
    execFileSync("cp", ["-a", `${directory}/.`, copy]);
    // Also when the copy is told by its files that the original is its own.
    await startHere({ data: copy });
    expect(keepDaemonId(copy)).not.toBe(keepDaemonId(directory));
    expect(await agents()).toEqual(before);
    await Promise.all(daemons.splice(1).map((daemon) => daemon.close()));
    expect(await agents()).toEqual(before);
  } finally {
    rmSync(copy, { recursive: true });
  }
});

test("starting a copy ends no orphan of a daemon of an earlier version on the original", async () => {
  await (await startHere()).close();
  const env = { PATH: process.env.PATH, [OWNER_VARIABLE]: `${readPlainDaemonId(directory)}/s1#1` };
  const script = "sleep 1000 >/dev/null 2>&1 & echo $!";
  const pid = Number(execFileSync("/bin/sh", ["-c", script], { env }));
  const copy = mkdtempSync(join(tmpdir(), "interlingua-copy-"));
  try {
    execFileSync("cp", ["-a", `${directory}/.`, copy]);
    await startHere({ data: copy });
    expect(processTable.read(pid)).toMatchObject({ zombie: false });
    await Promise.all(daemons.splice(0).map((daemon) => daemon.close()));
  } finally {
    process.kill(pid, "SIGKILL");
    rmSync(copy, { recursive: true });
  }
});

test("a moved data directory keeps its name, so what was left is still found", async () => {
  const place = join(directory, "before");
  await (await startHere({ data: place })).close();
  const daemonId = keepDaemonId(place);
  renameSync(place, join(directory, "after"));
  expect(keepDaemonId(join(directory, "after"))).toBe(daemonId);
});

test("removing lock.db does not let a second daemon in, and the first makes it again", async () => {
  const first = await startHere();
  const inode = () => statSync(join(directory, "lock.db"), { throwIfNoEntry: false })?.ino;
  const before = inode();
  // Held open, so that the number is not given out again.
  const kept = openSync(join(directory, "lock.db"), "r");
  rmSync(join(directory, "lock.db"));
  await expect(startHere()).rejects.toThrow(first.url);
  await until(() => readDaemonInfo(directory)?.url === first.url);
  expect(inode()).not.toBe(before);
  closeSync(kept);
  await expect(startHere()).rejects.toThrow(first.url);
  expect(await call(first, "/v1/sessions", { id: "s1", agent: "mock" })).toMatchObject({ status: 201 });
});

test("a second daemon finds the first by its agents where lock.db and daemon.json are gone", async () => {
  await (await startHere()).close();
  const { child, identity } = await anotherDaemon();
  const agent = await sleeper(`${keepDaemonId(directory)}/s1`, identity);
  await expect(startHere()).rejects.toThrow(`Another daemon (pid ${child.pid}) already uses`);
  expect(agent.exitCode ?? agent.signalCode).toBeNull();
  // Once that daemon is dead, its agent is a leftover like any other.
  const gone = once(agent, "exit");
  child.kill("SIGKILL");
  await once(child, "exit");
  await startHere();
  expect((await gone)[1]).toBe("SIGTERM");
});
