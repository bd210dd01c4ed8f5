/** A real file system that is full, where the test may mount one (root on Linux); elsewhere it is skipped, loudly. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { checkLog } from "../src/core/check-log.ts";
import type { SessionEvent } from "../src/core/event.ts";
import { until } from "../src/testkit/until.ts";
import { DaemonProcess, RecordingClient } from "./crash/daemon-process.ts";

const mount = mkdtempSync(join(tmpdir(), "interlingua-full-"));
const isMounted = tryMount();

function tryMount(): boolean {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return false;
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=16m", "tmpfs", mount], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

if (!isMounted) console.warn("SKIPPED: the disk-full test needs root on Linux to mount a small file system");

afterAll(() => {
  if (isMounted) execFileSync("umount", [mount]);
  rmSync(mount, { recursive: true, force: true });
});

/** Fills the file system to the last byte. */
function fill(): void {
  const ballast = join(mount, "ballast");
  for (const size of [1024 * 1024, 4096, 1]) {
    try {
      while (true) writeFileSync(ballast, Buffer.alloc(size), { flag: "a" });
    } catch {
      // Full at this size; go on with smaller pieces.
    }
  }
}

it.skipIf(!isMounted)(
  "pauses on a full disk, loses nothing and goes on when there is room",
  { timeout: 120_000 },
  async () => {
    const daemon = await DaemonProcess.start(mount);
    await daemon.call("POST", "/v1/sessions", { id: "s", agent: "mock" });
    const client = new RecordingClient(daemon, "s");
    await daemon.prompt("s", "scenario:burst:60000", "u1");
    await until(() => client.lines.length > 500);
    fill();
    await until(async () => (await daemon.request("GET", "/v1/health")).status === 503);
    const refused = await daemon.request("POST", "/v1/sessions/s/messages", { text: "now?" });
    expect(refused.status).toBe(507);
    expect(await refused.json()).toMatchObject({ code: "store_unavailable", status: 507 });
    const seen = client.lines.length;
    const { head } = await daemon.call<{ head: number }>("GET", "/v1/sessions/s/events?limit=1");
    expect(client.lines.length).toBe(seen);
    expect(JSON.parse(client.lines.at(-1)!).seq).toBe(head);

    truncateSync(join(mount, "ballast"), 0);
    await until(async () => (await daemon.request("GET", "/v1/health")).status === 200);
    await daemon.call("POST", "/v1/sessions/s/interrupt");
    await until(
      async () => (await daemon.call<{ status: string }>("GET", "/v1/sessions/s")).status === "idle",
    );
    await until(() => client.lines.at(-1)!.includes('"turn.ended"'));
    const log = (await daemon.events("s")).map((line) => JSON.parse(line) as SessionEvent);
    expect(client.lines.slice(0, log.length).map((line) => JSON.parse(line))).toEqual(log);
    expect(checkLog(log, { complete: true })).toEqual([]);
    await daemon.kill("SIGTERM");
  },
);

it.skipIf(!isMounted)(
  "a runaway agent can be stopped, closed and deleted on a full disk",
  { timeout: 120_000 },
  async () => {
    const daemon = await DaemonProcess.start(mount);
    for (const id of ["told", "closed", "deleted"]) {
      await daemon.call("POST", "/v1/sessions", { id, agent: "mock" });
      await daemon.prompt(id, id === "told" ? "scenario:burst:60000" : "scenario:hang-deaf");
    }
    const closed = await agentOf(daemon, "closed");
    const deleted = await agentOf(daemon, "deleted");
    await agentOf(daemon, "told");
    fill();
    await until(async () => (await daemon.request("GET", "/v1/health")).status === 503);

    const told = await daemon.request("POST", "/v1/sessions/told/interrupt");
    expect([told.status, await told.json()]).toEqual([200, { interrupted: true }]);
    const deletion = await daemon.request("DELETE", "/v1/sessions/deleted");
    expect([204, 507]).toContain(deletion.status);
    await until(() => !isRunning(deleted));
    const closing = await daemon.request("PATCH", "/v1/sessions/closed", { status: "closed" });
    expect([200, 507]).toContain(closing.status);
    await until(() => !isRunning(closed));

    truncateSync(join(mount, "ballast"), 0);
    await until(async () => (await daemon.request("GET", "/v1/health")).status === 200);
    await until(async () => (await statusOf(daemon, "closed")) === "closed");
    await until(async () => (await statusOf(daemon, "told")) === "idle");
    for (const id of ["told", "closed"]) {
      const log = (await daemon.events(id)).map((line) => JSON.parse(line) as SessionEvent);
      expect(checkLog(log, { complete: true })).toEqual([]);
      expect(log.filter(({ type }) => type === "turn.stopping")).toHaveLength(1);
      expect(log.find(({ type }) => type === "turn.ended")).toMatchObject({ outcome: "interrupted" });
    }
    if (deletion.status === 507)
      expect((await daemon.request("DELETE", "/v1/sessions/deleted")).status).toBe(204);
    expect((await daemon.request("GET", "/v1/sessions/deleted")).status).toBe(404);
    await daemon.kill("SIGTERM");
  },
);

/** The process of a session's agent, once it runs. */
async function agentOf(daemon: DaemonProcess, session: string): Promise<number> {
  let pid: number | undefined;
  await until(async () => {
    const { raws } = await daemon.call<{ raws: { data: { event?: string; pid?: number } }[] }>(
      "GET",
      `/v1/sessions/${session}/raw`,
    );
    pid = raws.find(({ data }) => data.pid !== undefined)?.data.pid;
    return pid !== undefined && (await statusOf(daemon, session)) === "running";
  });
  return pid!;
}

async function statusOf(daemon: DaemonProcess, session: string): Promise<string> {
  return (await daemon.call<{ status: string }>("GET", `/v1/sessions/${session}`)).status;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
