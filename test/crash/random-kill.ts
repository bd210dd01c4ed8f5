/** Kills a daemon at a random point of a burst and looks at what is there afterwards. */
import { expect } from "vitest";
import { checkLog } from "../../src/core/check-log.ts";
import type { SessionEvent } from "../../src/core/event.ts";
import { until } from "../../src/testkit/until.ts";
import { DaemonProcess, RecordingClient, temporaryDirectory } from "./daemon-process.ts";
import { leftoverProcesses } from "./leftover-processes.ts";

export async function killDuringBurst(random: () => number): Promise<{ seen: number; stored: number }> {
  await using directory = await temporaryDirectory();
  const daemon = await DaemonProcess.start(directory.path);
  await daemon.call("POST", "/v1/sessions", { id: "s", agent: "mock" });
  const clients = [new RecordingClient(daemon, "s"), new RecordingClient(daemon, "s")];
  await daemon.prompt("s", "scenario:burst:20000", "u1");
  const queued = await daemon.prompt("s", "scenario:text after the crash", "u2");
  expect(queued.state).toBe("queued");
  const point = Math.floor(random() * 4000);
  await until(
    () =>
      clients[0]!.lines.length >= point || clients[0]!.lines.some((line) => line.includes('"turn.ended"')),
  );
  await daemon.kill();
  await Promise.all(clients.map((client) => client.finished));

  const restarted = await DaemonProcess.start(directory.path);
  try {
    await until(
      async () =>
        (await restarted.call<{ queued: number; status: string }>("GET", "/v1/sessions/s")).status === "idle",
    );
    const stored = await restarted.events("s");
    for (const client of clients) expect(stored.slice(0, client.lines.length)).toEqual(client.lines);
    const log = stored.map((line) => JSON.parse(line) as SessionEvent);
    expect(checkLog(log, { complete: true })).toEqual([]);
    const dispatched = log
      .filter((event) => event.type === "prompt.dispatched")
      .map((event) => event.message);
    expect(dispatched).toEqual(["u1", "u2"]);
    expect(
      log
        .filter((event) => event.type === "turn.ended")
        .map((event) => event.outcome)
        .at(-1),
    ).toBe("completed");
    expect((await restarted.prompt("s", "scenario:text again")).state).toBe("started");
    return { seen: clients[0]!.lines.length, stored: stored.length };
  } finally {
    await restarted.kill("SIGTERM");
    expect(await leftoverProcesses(directory.path)).toEqual([]);
  }
}
