/** kill -9 at each point where a command has become durable and has not been acted on yet. */
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkLog } from "../../src/core/check-log.ts";
import type { EventType, SessionEvent } from "../../src/core/event.ts";
import { until } from "../../src/testkit/until.ts";
import { DaemonProcess, RecordingClient, temporaryDirectory } from "./daemon-process.ts";
import { leftoverProcesses } from "./leftover-processes.ts";

const SCRIPT = join(import.meta.dirname, "dying-daemon.ts");

interface RawPage {
  raws: { direction: string; data: unknown }[];
}

async function dieAfter(point: EventType) {
  await using directory = await temporaryDirectory();
  const daemon = await DaemonProcess.start(directory.path, {
    script: SCRIPT,
    environment: { DIE_AFTER: point },
  });
  await daemon.call("POST", "/v1/sessions", { id: "s", agent: "mock" });
  const client = new RecordingClient(daemon, "s");
  await until(() => client.lines.length > 0);
  const first = daemon.prompt("s", "scenario:approve", "u1").catch(() => undefined);
  if (point.startsWith("ask")) {
    await until(() => client.lines.some((line) => line.includes('"ask.opened"')));
    const ask = JSON.parse(client.lines.find((line) => line.includes('"ask.opened"'))!).ask;
    await daemon.call("POST", `/v1/sessions/s/asks/${ask}/reply`, { reply: "once" }).catch(() => undefined);
  }
  await daemon.gone;
  await Promise.all([first, client.finished]);

  const restarted = await DaemonProcess.start(directory.path);
  const log = async () => (await restarted.events("s")).map((line) => JSON.parse(line) as SessionEvent);
  // Where the prompt was not dispatched yet it runs now and asks.
  await until(async () => {
    const { status } = await restarted.call<{ status: string }>("GET", "/v1/sessions/s");
    return status === "idle" || status === "waiting";
  });
  const after = await log();
  const { asks } = await restarted.call<{ asks: { ask: string }[] }>("GET", "/v1/asks");
  for (const { ask } of asks)
    await restarted.call("POST", `/v1/sessions/s/asks/${ask}/reply`, { reply: "once" });
  await until(
    async () => (await restarted.call<{ status: string }>("GET", "/v1/sessions/s")).status === "idle",
  );
  const next = await restarted.prompt("s", "scenario:recall", "u2");
  expect(next.state).toBe("started");
  await until(async () => (await log()).some((event) => event.type === "turn.ended" && event.seq > next.seq));
  const { raws } = await restarted.call<RawPage>("GET", "/v1/sessions/s/raw?limit=1000");
  const end = await log();
  await restarted.kill("SIGTERM");

  expect(end.slice(0, client.lines.length)).toEqual(client.lines.map((line) => JSON.parse(line)));
  expect(checkLog(end, { complete: true })).toEqual([]);
  expect(await leftoverProcesses(directory.path)).toEqual([]);
  const sent = raws.filter(({ direction }) => direction === "out").map(({ data }) => String(data));
  return {
    after,
    end,
    promptsSent: sent.filter((line) => line.includes('"u1"')).length,
    approvals: end.filter((event) => event.type === "ask.answered").length,
    ended: end.filter((event) => event.type === "turn.ended"),
  };
}

describe("kill -9 right after the commit of", () => {
  it("prompt.accepted: the prompt still waits and runs once", async () => {
    const { ended, promptsSent } = await dieAfter("prompt.accepted");
    expect(promptsSent).toBe(1);
    expect(ended.map(({ outcome }) => outcome)).toEqual(["completed", "completed"]);
  });

  it("prompt.dispatched: it is never sent again, and its turn says that nobody knows", async () => {
    const { ended, promptsSent } = await dieAfter("prompt.dispatched");
    expect(promptsSent).toBe(0);
    expect(ended[0]).toMatchObject({
      outcome: "interrupted",
      error: { code: "daemon_restarted" },
      delivery: "unknown",
    });
    expect(ended[1]).toMatchObject({ outcome: "completed" });
  });

  it("ask.answered: the answer stands, undelivered, and is not given again", async () => {
    const { after, ended, approvals } = await dieAfter("ask.answered");
    expect(after.find((event) => event.type === "ask.closed")).toMatchObject({
      outcome: "answered",
      delivered: false,
    });
    expect(approvals).toBe(1);
    expect(ended[0]).toMatchObject({ outcome: "interrupted", delivery: "known" });
  });

  it("ask.closed: the answer was delivered once", async () => {
    const { after, ended, approvals } = await dieAfter("ask.closed");
    expect(after.find((event) => event.type === "ask.closed")).toMatchObject({
      outcome: "answered",
      delivered: true,
    });
    expect(approvals).toBe(1);
    expect(ended[0]).toMatchObject({ outcome: "interrupted", delivery: "known" });
  });
});
