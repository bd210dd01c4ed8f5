/** Agents or the daemon are killed in the middle of their work. */
import { describe, expect, it } from "vitest";
import { hang, text } from "../../src/testkit/scripted-model/index.ts";
import { until } from "../../src/testkit/until.ts";
import { leftoverProcesses } from "../crash/leftover-processes.ts";
import { type AgentSession, ofType } from "./agent-session.ts";
import type { AgentWorld } from "./agent-world.ts";
import { AGENTS } from "./agents.ts";

describe.each(AGENTS)("$agent.name", ({ world: start, sessions, tools, ...agent }) => {
  const scripts = () => ({
    hello: [text("Hello, I am here.")],
    loop: [[tools.run("while true; do sleep 0.1; done")], [text("Never said.")]],
    talk: [text("I talk "), hang()],
    recall: [text("I remember.")],
  });

  /** Has said hello and runs a command without end. */
  async function startLoop(world: AgentWorld, session: AgentSession): Promise<string> {
    await session.run("Hello [[hello]]");
    const { message } = await session.prompt("Loop [[loop]]");
    await session.event("tool.input");
    await until(async () => (await leftoverProcesses(world.data)).length > 1);
    await agent.untilWritten?.(world, "[[loop]]");
    return message;
  }

  async function expectInformed(world: AgentWorld, session: AgentSession, known: string[]): Promise<void> {
    expect((await session.run("Recall [[recall]]")).text).toBe("I remember.");
    const { input } = agent.heard(world.model);
    for (const words of known) expect(input).toContain(words);
    expect(ofType(session.events, "session.attached").at(-1)).toMatchObject({
      resumed: true,
      generation: 2,
    });
  }

  /** By a daemon that was started again. */
  async function expectInterrupted(session: AgentSession): Promise<void> {
    await session.watch();
    expect(await session.event("turn.ended", ({ outcome }) => outcome !== "completed")).toMatchObject({
      outcome: "interrupted",
      error: { code: "daemon_restarted" },
    });
  }

  const said = ["Hello [[hello]]", "Hello, I am here.", "Loop [[loop]]"];

  it("is killed: the turn fails, its command ends with it, and the next prompt finds it informed", async () => {
    await using world = await start({ scripts });
    const session = await world.session(sessions.trusted);
    const message = await startLoop(world, session);
    process.kill(await session.pid(), "SIGKILL");
    const { ended } = await session.turnOf(message);
    expect(ended).toMatchObject({ outcome: "failed", error: { code: "agent_exited" } });
    expect(await session.event("session.detached")).toMatchObject({ reason: "crash", signal: "SIGKILL" });
    await until(async () => (await leftoverProcesses(world.data)).length === 0);
    await expectInformed(world, session, said);
  });

  it.runIf(agent.isShared)(
    "is killed: so it is for all its sessions, and each is taken up again",
    async () => {
      await using world = await start({ scripts });
      const [one, two] = [await world.session(sessions.trusted), await world.session(sessions.trusted)];
      await two.run("Two says [[hello]]");
      const looping = await startLoop(world, one);
      const { message: talking } = await two.prompt("Talk [[talk]]");
      await two.event("text.delta", ({ delta }) => delta.includes("talk"));
      process.kill(await one.pid(), "SIGKILL");
      for (const turn of [await one.turnOf(looping), await two.turnOf(talking)])
        expect(turn.ended).toMatchObject({ outcome: "failed", error: { code: "agent_exited" } });
      for (const session of [one, two])
        expect(await session.event("session.detached")).toMatchObject({ reason: "crash", signal: "SIGKILL" });
      await until(async () => (await leftoverProcesses(world.data)).length === 0);

      await expectInformed(world, one, said);
      expect(agent.heard(world.model).input).not.toContain("Two says");
      await expectInformed(world, two, ["Two says [[hello]]", "Talk [[talk]]"]);
      expect(await one.pid()).toBe(await two.pid());
    },
  );

  it("is left alone by a daemon that is killed: nothing runs on, and the next daemon finds it informed", async () => {
    await using world = await start({ scripts });
    const daemon = await world.startDaemonProcess();
    const session = await world.session(sessions.trusted);
    await startLoop(world, session);
    await daemon.kill("SIGKILL");

    await world.startDaemonProcess();
    expect(await leftoverProcesses(world.data)).toEqual([]);
    await expectInterrupted(session);
    await expectInformed(world, session, said);
  });

  it("is taken up again by a daemon that was stopped in the middle of a turn", async () => {
    await using world = await start({ scripts });
    const session = await world.session(sessions.trusted);
    await startLoop(world, session);
    await world.stopDaemon();
    expect(await leftoverProcesses(world.data)).toEqual([]);

    await world.startDaemon();
    await expectInterrupted(session);
    await expectInformed(world, session, ["Hello, I am here.", agent.stopIsHeardAs ?? ""]);
  });
});
