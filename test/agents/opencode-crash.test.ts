/** OpenCode's server, the daemon, or the connection between them is lost in the middle of the work. */
import { globSync } from "node:fs";
import { join } from "node:path";
import { expect, inject, it } from "vitest";
import { hang, inPieces, slow, text, toolCall } from "../../src/testkit/scripted-model/index.ts";
import { until } from "../../src/testkit/until.ts";
import { leftoverProcesses } from "../crash/leftover-processes.ts";
import { ofType, textOf } from "./agent-session.ts";
import { lastMessages, openCodeSession, openCodeWorld } from "./opencode-world.ts";

const LONG = inPieces(
  "This is a long answer that takes its time, and every word of it counts. ".repeat(2),
  6,
);

const scripts = () => ({
  hello: [text("Hello, I am here.")],
  loop: [[toolCall("bash", { command: "while true; do sleep 0.1; done", description: "Loop" })], [text("?")]],
  endless: [text("I begin "), hang()],
  long: [slow(120), text(...LONG)],
  recall: [text("I remember.")],
});

it("is killed: the turns of its sessions fail, and the next prompts find it informed", async () => {
  await using world = await openCodeWorld({ scripts });
  const [one, other] = [await openCodeSession(world), await openCodeSession(world)];
  await one.run("Hello [[hello]]");
  const loop = await one.prompt("Loop [[loop]]");
  await until(async () => (await leftoverProcesses(world.data)).length > 1);
  const talk = await other.prompt("Talk [[endless]]");
  await other.event("text.delta");
  process.kill(await one.pid(), "SIGKILL");
  for (const turn of [await one.turnOf(loop.message), await other.turnOf(talk.message)]) {
    expect(turn.ended).toMatchObject({ outcome: "failed", error: { code: "agent_exited" } });
  }
  expect(await one.event("session.detached")).toMatchObject({ reason: "crash", signal: "SIGKILL" });
  await until(async () => (await leftoverProcesses(world.data)).length === 0);

  expect((await one.run("Recall [[recall]]")).text).toBe("I remember.");
  for (const part of ["Hello, I am here.", "Loop [[loop]]"]) expect(lastMessages(world)).toContain(part);
  expect(ofType(one.events, "session.attached").at(-1)).toMatchObject({ resumed: true, generation: 2 });
  expect((await other.run("Recall [[recall]]")).text).toBe("I remember.");
  expect(lastMessages(world)).toContain("Talk [[endless]]");
});

it("does not outlive a daemon that is killed, and the next daemon finds it informed", async () => {
  await using world = await openCodeWorld({ scripts });
  const daemon = await world.startDaemonProcess();
  const session = await openCodeSession(world);
  await session.run("Hello [[hello]]");
  await session.prompt("Loop [[loop]]");
  await until(async () => (await leftoverProcesses(world.data)).length > 1);
  await daemon.kill("SIGKILL");

  await world.startDaemonProcess();
  expect(await leftoverProcesses(world.data)).toEqual([]);
  await session.watch();
  expect(await session.event("turn.ended", ({ outcome }) => outcome !== "completed")).toMatchObject({
    outcome: "interrupted",
    error: { code: "daemon_restarted" },
  });
  expect((await session.run("Recall [[recall]]")).text).toBe("I remember.");
  expect(lastMessages(world)).toContain("Hello, I am here.");
});

it("is heard to the end although the connection was lost for a while: nothing is missing, nothing doubled", async () => {
  const [program] = globSync("agents/opencode/program/*/node_modules/opencode-linux-*/bin/opencode", {
    cwd: inject("installedAgents"),
  });
  const flaky = [join(import.meta.dirname, "flaky-opencode.ts"), join(inject("installedAgents"), program!)];
  await using world = await openCodeWorld({
    scripts,
    agents: { opencode: { command: [process.execPath, ...flaky] } },
  });
  const session = await openCodeSession(world);
  await session.run("Hello [[hello]]");

  // In the middle of a text: its end brings all of it.
  const long = await session.prompt("Speak [[long]]");
  await session.event("text.delta", ({ delta }) => delta.includes("This"));
  process.kill(await session.pid(), "SIGUSR2");
  const turn = await session.turnOf(long.message);
  expect(turn.ended.outcome).toBe("completed");
  const discarded = ofType(turn.events, "content.discarded").flatMap(({ parts }) => parts);
  const kept = turn.events.filter((event) => !("part" in event && discarded.includes(event.part)));
  expect(textOf(kept)).toBe(LONG.join(""));

  // Across the end of a turn: the server is asked how it ended.
  const talk = await session.prompt("Talk [[endless]]");
  await session.event("text.delta", ({ delta }) => delta === "I begin ");
  process.kill(await session.pid(), "SIGUSR2");
  world.model.release();
  const silent = await session.turnOf(talk.message);
  expect(silent).toMatchObject({ ended: { outcome: "completed" }, text: "I begin " });
  expect((await session.run("Recall [[recall]]")).text).toBe("I remember.");
});
