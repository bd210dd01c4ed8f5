/** Limits of the operating system are reached: the daemon says so, lives, and goes on when there is room again. */
import { type ClientRequest, get } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { checkLog } from "../../src/core/check-log.ts";
import type { SessionEvent } from "../../src/core/event.ts";
import { until } from "../../src/testkit/until.ts";
import { DaemonProcess, RecordingClient, temporaryDirectory } from "../crash/daemon-process.ts";

async function idle(daemon: DaemonProcess, session: string): Promise<void> {
  await until(async () => {
    const { status } = await daemon.call<{ status: string }>("GET", `/v1/sessions/${session}`);
    return status === "idle" || status === "failed";
  }, 60_000);
}

async function expectWhole(daemon: DaemonProcess, session: string, seen: readonly string[]): Promise<void> {
  const lines = await daemon.events(session);
  expect(lines.slice(0, seen.length)).toEqual(seen);
  const log = lines.map((line) => JSON.parse(line) as SessionEvent);
  expect(checkLog(log, { complete: true })).toEqual([]);
}

it("a file that may not grow is like a full disk: 507, and nothing is lost at the next start", async () => {
  await using directory = await temporaryDirectory();
  // In blocks of 512 bytes: 2 MB.
  const daemon = await DaemonProcess.start(directory.path, { ulimit: "-f 4096" });
  await daemon.call("POST", "/v1/sessions", { id: "s", agent: "mock", options: { pace: 0 } });
  const client = new RecordingClient(daemon, "s");
  await daemon.prompt("s", "scenario:burst:200000", "u1");
  await until(async () => (await daemon.request("GET", "/v1/health")).status === 503, 60_000);
  const refused = await daemon.request("POST", "/v1/sessions/s/messages", { text: "now?", id: "u2" });
  expect(refused.status).toBe(507);
  expect((await daemon.request("GET", "/v1/sessions/s/events")).status).toBe(200);
  await daemon.kill("SIGTERM");
  await client.finished;

  const unlimited = await DaemonProcess.start(directory.path);
  await idle(unlimited, "s");
  await unlimited.prompt("s", "scenario:text", "u3");
  await idle(unlimited, "s");
  await expectWhole(unlimited, "s", client.lines);
  await unlimited.kill("SIGTERM");
});

it("without a free descriptor nothing new is opened; when readers leave, all goes on", async () => {
  await using directory = await temporaryDirectory();
  const daemon = await DaemonProcess.start(directory.path, { ulimit: "-n 80" });
  for (const id of ["s", "t"])
    await daemon.call("POST", "/v1/sessions", { id, agent: "mock", options: { pace: 0 } });
  await daemon.prompt("s", "scenario:text", "u1");
  await idle(daemon, "s");
  const readers = Array.from({ length: 120 }, () => openStream(daemon, "s"));
  const prompt = daemon.prompt("t", "scenario:text", "u1").catch(() => undefined);
  // Long enough for whatever the daemon does by itself when it is quiet.
  await sleep(2000);
  for (const reader of readers) reader.destroy();
  await prompt;

  for (const id of ["s", "t"]) {
    await until(() => completesTurn(daemon, id), 60_000);
    await expectWhole(daemon, id, []);
  }
  await daemon.kill("SIGTERM");
});

/** Not with `fetch`, which keeps connections. */
function openStream({ url, token }: DaemonProcess, session: string): ClientRequest {
  const headers = { authorization: `Bearer ${token}` };
  const request = get(`${url}/v1/sessions/${session}/events/sse`, { agent: false, headers }, (response) =>
    response.resume().on("error", () => {}),
  );
  return request.on("error", () => {});
}

/** A connection that was closed for want of a descriptor is noticed when it is used, so it may take another try. */
async function completesTurn(daemon: DaemonProcess, session: string): Promise<boolean> {
  try {
    await daemon.prompt(session, "scenario:text");
    await idle(daemon, session);
    const log = (await daemon.events(session)).map((line) => JSON.parse(line) as SessionEvent);
    return log.findLast((event) => event.type === "turn.ended")?.outcome === "completed";
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}
