/** What real ACP agents leave running: after a stop, after one of several sessions is closed, after the daemon was killed. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isAlive } from "../../src/process/test-support.ts";
import { text } from "../../src/testkit/scripted-model/index.ts";
import { until } from "../../src/testkit/until.ts";
import { leftoverProcesses } from "../crash/leftover-processes.ts";
import { ACP_AGENTS, type AcpAgentUnderTest } from "./acp-agents.ts";
import type { AgentSession } from "./agent-session.ts";
import { AgentWorld } from "./agent-world.ts";
import { runAfterStop } from "./run-after-stop.ts";

const PATIENCE_MS = 60_000;

/** A shell whose child ignores SIGTERM, and so outlives it. Each has a file of its own for the child's pid. */
const command = (name: string) => `(trap '' TERM; sleep 1000 & echo $! > ${name}.pid; wait)`;

function scriptsOf(agent: AcpAgentUnderTest) {
  return () => ({
    hello: [text("Hello.")],
    ...Object.fromEntries(
      ["first", "second"].map((name) => [name, [[agent.shell(command(name))], [text("It ran.")]]]),
    ),
  });
}

const named = (...names: string[]) => ACP_AGENTS.filter(({ name }) => names.includes(name));

describe.each(ACP_AGENTS)("$name", (agent) => {
  it("leaves a command running when it is stopped", async () => {
    await using world = await AgentWorld.start(agent, { scripts: scriptsOf(agent) });
    const session = await world.session(agent.session);
    const { message, pid } = await run(world, agent, session, "first");
    await session.call("POST", "/interrupt");
    expect((await session.turnOf(message)).ended.outcome).toBe("interrupted");
    await until(() => !isAlive(pid), PATIENCE_MS);
    expect((await runAfterStop(agent, session, "Go on. [[hello]]")).text).toContain("Hello.");
  });
});

describe.each(named("goose"))("$name with our terminals", (agent) => {
  it("leaves a command running that is our own child", async () => {
    await using world = await AgentWorld.start(agent, { scripts: scriptsOf(agent) });
    const session = await world.session({ ...agent.session, options: { terminals: true } });
    const { message, pid } = await run(world, agent, session, "first");
    await session.call("POST", "/interrupt");
    expect((await session.turnOf(message)).ended.outcome).toBe("interrupted");
    await until(() => !isAlive(pid), PATIENCE_MS);
  });
});

describe.each(named("cline"))("$name", (agent) => {
  it("loses the hub that its sessions share when the first of them is closed", async () => {
    await using world = await AgentWorld.start(agent, { scripts: scriptsOf(agent) });
    const first = await world.session(agent.session);
    await first.run("Begin. [[hello]]");
    const second = await world.session(agent.session);
    const { message, pid } = await run(world, agent, second, "second");
    const [hub] = await hubs(world);

    await close(first);
    expect(await hubs(world)).toEqual([hub]);
    expect(isAlive(pid)).toBe(true);
    await second.call("POST", "/interrupt");
    expect((await second.turnOf(message)).ended.outcome).toBe("interrupted");
    await until(() => !isAlive(pid), PATIENCE_MS);
    expect((await second.run("Go on. [[hello]]")).text).toContain("Hello.");

    await close(second);
    expect(await hubs(world)).toEqual([]);
  });

  it("keeps hub and command alive when the daemon is killed and not started again", async () => {
    await using world = await AgentWorld.start(agent, { scripts: scriptsOf(agent) });
    const daemon = await world.startDaemonProcess();
    const first = await world.session(agent.session);
    await first.run("Begin. [[hello]]");
    const second = await world.session(agent.session);
    const { pid } = await run(world, agent, second, "second");
    expect(await hubs(world)).toHaveLength(1);

    await daemon.kill("SIGKILL");
    await until(async () => (await leftoverProcesses(world.data)).length === 0, PATIENCE_MS);
    expect(isAlive(pid)).toBe(false);
    await world.startDaemonProcess();
    for (const session of world.sessions) await session.watch();
  });
});

/** Prompts until the command of that name runs. */
async function run(
  world: AgentWorld,
  agent: AcpAgentUnderTest,
  session: AgentSession,
  name: string,
): Promise<{ message: string; pid: number }> {
  const { message } = await session.prompt(`Run it. [[${name}]]`);
  if (!agent.asksNobody) {
    const { turn } = await session.event("prompt.dispatched", (event) => event.message === message);
    const { ask } = await session.event("ask.opened", (event) => event.turn === turn);
    await session.answer(ask, { reply: "once" });
  }
  const file = join(world.project, `${name}.pid`);
  await until(() => readIfThere(file).endsWith("\n"), PATIENCE_MS);
  return { message, pid: Number(readIfThere(file)) };
}

async function close(session: AgentSession): Promise<void> {
  expect(await session.call("PATCH", "", { status: "closed" })).toMatchObject({ status: 200 });
}

async function hubs(world: AgentWorld): Promise<string[]> {
  const pids = await leftoverProcesses(world.data);
  return pids.filter((pid) => readIfThere(`/proc/${pid}/cmdline`).includes("--cline-hub-daemon"));
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
