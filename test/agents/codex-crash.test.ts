/** Codex or the daemon is killed in the middle of its work. */
import { expect, it } from "vitest";
import { hang, text, toolCall } from "../../src/testkit/scripted-model/index.ts";
import { until } from "../../src/testkit/until.ts";
import { leftoverProcesses } from "../crash/leftover-processes.ts";
import { ofType } from "./agent-session.ts";
import { codexWorld } from "./codex-world.ts";

const scripts = () => ({
  hello: [text("Hello, I am here.")],
  loop: [
    [toolCall("exec_command", { cmd: "while true; do sleep 0.1; done", yield_time_ms: 60_000 })],
    [text("Never said.")],
  ],
  talk: [text("I talk "), hang()],
  recall: [text("I remember.")],
});

it("is killed: the turns of all its sessions fail, their commands end, and each is taken up again", async () => {
  await using world = await codexWorld({ scripts });
  const one = await world.session({ permissionMode: "bypass" });
  const two = await world.session({ permissionMode: "bypass" });
  await Promise.all([one.run("One says [[hello]]"), two.run("Two says [[hello]]")]);
  const looping = await one.prompt("Loop [[loop]]");
  const talking = await two.prompt("Talk [[talk]]");
  await Promise.all([
    one.event("tool.input"),
    two.event("text.delta", ({ delta }) => delta.includes("talk")),
  ]);
  await until(async () => (await leftoverProcesses(world.data)).length > 1);
  process.kill(await one.pid(), "SIGKILL");
  for (const [session, { message }] of [
    [one, looping],
    [two, talking],
  ] as const) {
    expect((await session.turnOf(message)).ended).toMatchObject({
      outcome: "failed",
      error: { code: "agent_exited" },
    });
    expect(await session.event("session.detached")).toMatchObject({ reason: "crash", signal: "SIGKILL" });
  }
  await until(async () => (await leftoverProcesses(world.data)).length === 0);

  expect((await one.run("Recall [[recall]]")).text).toBe("I remember.");
  const input = JSON.stringify(world.model.requests.at(-1)?.body.input);
  for (const part of ["One says [[hello]]", "Hello, I am here.", "Loop [[loop]]"])
    expect(input).toContain(part);
  expect(input).not.toContain("Two says");
  expect((await two.run("Recall [[recall]]")).text).toBe("I remember.");
  expect(ofType(two.events, "session.attached").at(-1)).toMatchObject({ resumed: true, generation: 2 });
  expect(await one.pid()).toBe(await two.pid());
});

it("is left alone by a daemon that is killed: nothing runs on, and the next daemon finds it informed", async () => {
  await using world = await codexWorld({ scripts });
  const daemon = await world.startDaemonProcess();
  const session = await world.session({ permissionMode: "bypass" });
  await session.run("Hello [[hello]]");
  await session.prompt("Loop [[loop]]");
  await session.event("tool.input");
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
  const input = JSON.stringify(world.model.requests.at(-1)?.body.input);
  for (const part of ["Hello [[hello]]", "Hello, I am here.", "Loop [[loop]]"]) expect(input).toContain(part);
});

it("is taken up again by a daemon that was stopped in the middle of a turn", async () => {
  await using world = await codexWorld({ scripts });
  const session = await world.session({ permissionMode: "bypass" });
  await session.run("Hello [[hello]]");
  await session.prompt("Loop [[loop]]");
  await until(async () => (await leftoverProcesses(world.data)).length > 1);
  await world.stopDaemon();
  expect(await leftoverProcesses(world.data)).toEqual([]);

  await world.startDaemon();
  await session.watch();
  expect((await session.run("Recall [[recall]]")).text).toBe("I remember.");
  expect(JSON.stringify(world.model.requests.at(-1)?.body.input)).toContain("Hello, I am here.");
});

it("hangs: whoever comes next gets a new process, and so do the sessions of the old one", async () => {
  await using world = await codexWorld({ scripts });
  const one = await world.session();
  await one.run("One says [[hello]]");
  const stuck = await one.pid();
  process.kill(stuck, "SIGSTOP");
  const two = await world.session();
  expect((await two.run("Two says [[hello]]")).text).toBe("Hello, I am here.");
  expect(await two.pid()).not.toBe(stuck);
  await one.event("session.detached");
  expect((await one.run("Recall [[recall]]")).text).toBe("I remember.");
  expect(JSON.stringify(world.model.requests.at(-1)?.body.input)).toContain("One says");
});
