/** A real daemon that is killed in the middle of a turn, and a session that continues by itself. */
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { checkLog } from "../../src/core/check-log.ts";
import type { EventOf, SessionEvent } from "../../src/core/event.ts";
import { until } from "../../src/testkit/until.ts";
import { DaemonProcess, temporaryDirectory } from "./daemon-process.ts";

async function eventsOf(daemon: DaemonProcess): Promise<SessionEvent[]> {
  return (await daemon.events("s")).map((line) => JSON.parse(line) as SessionEvent);
}

async function find<Type extends SessionEvent["type"]>(
  daemon: DaemonProcess,
  type: Type,
): Promise<EventOf<Type>[]> {
  return (await eventsOf(daemon)).filter((event): event is EventOf<Type> => event.type === type);
}

function continuationsIn(log: readonly SessionEvent[]) {
  return log.filter(
    (event): event is EventOf<"prompt.accepted"> =>
      event.type === "prompt.accepted" && event.continuesTurn !== undefined,
  );
}

/** In the middle of a turn, which the agent has begun to answer; another prompt waits. */
async function inTheMiddle(data: string): Promise<DaemonProcess> {
  const daemon = await DaemonProcess.start(data);
  const options = { pace: 0 };
  await daemon.call("POST", "/v1/sessions", { id: "s", agent: "mock", onLost: "continue", options });
  await daemon.prompt("s", "scenario:hang", "u1");
  await until(async () => (await find(daemon, "text.delta")).length > 0);
  await daemon.prompt("s", "scenario:text", "u2");
  return daemon;
}

test("after kill -9 the turn is continued once, and what waited runs after it", async () => {
  await using directory = await temporaryDirectory();
  const killed = await inTheMiddle(directory.path);
  await killed.kill();
  const daemon = await DaemonProcess.start(directory.path);
  try {
    // The agent works again, on what the daemon said.
    await until(async () => (await find(daemon, "turn.started")).length === 2);
    await daemon.call("POST", "/v1/sessions/s/interrupt");
    await until(async () => (await find(daemon, "turn.ended")).length === 3);
    const log = await eventsOf(daemon);
    const [continuation, ...more] = continuationsIn(log);
    expect(more).toEqual([]);
    expect(continuation?.by).toBe("daemon");
    const dispatched = (await find(daemon, "prompt.dispatched")).map(({ message }) => message);
    expect(dispatched).toEqual(["u1", continuation?.message, "u2"]);
    expect((await find(daemon, "session.attached")).map(({ resumed }) => resumed)).toEqual([false, true]);
    expect(checkLog(log)).toEqual([]);
  } finally {
    await daemon.kill();
  }
});

test("a daemon that is killed again and again, at any moment after its start, continues the turn once", async () => {
  await using directory = await temporaryDirectory();
  await (await inTheMiddle(directory.path)).kill();
  for (const pauseMs of [0, 50, 200]) {
    const daemon = await DaemonProcess.start(directory.path);
    await sleep(pauseMs);
    await daemon.kill();
  }
  const daemon = await DaemonProcess.start(directory.path);
  try {
    await until(async () => (await find(daemon, "prompt.accepted")).length >= 3);
    const log = await eventsOf(daemon);
    const continued = continuationsIn(log).map(({ continuesTurn }) => continuesTurn);
    expect(new Set(continued).size).toBe(continued.length);
    const sent = (await find(daemon, "prompt.dispatched")).map(({ message }) => message);
    expect(new Set(sent).size).toBe(sent.length);
    expect(checkLog(log)).toEqual([]);
  } finally {
    await daemon.kill();
  }
});
