import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { eventually } from "../testkit/eventually.ts";
import { createProcessHost } from "./local-process-host.ts";
import type { ProcessHost } from "./process-host.ts";
import { processTable } from "./process-table.ts";
import {
  AGENT_WITH_HUB,
  announcedPids,
  Conversation,
  isAlive,
  node,
  shell,
  startDetached,
} from "./test-support.ts";

const A_WHILE_MS = 600_000;

let directory: string;
let host: ProcessHost;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "interlingua-stop-"));
  host = createProcessHost({ daemonId: `test-${randomUUID()}`, environment: process.env });
});

afterEach(async () => {
  await host.close();
  rmSync(directory, { recursive: true });
});

async function start(sessionId: string): Promise<Conversation> {
  const args = [AGENT_WITH_HUB, "agent", join(directory, "hub.sock")];
  return new Conversation(await host.spawn({ command: process.execPath, args, cwd: directory, sessionId }));
}

it("a stop leaves what the shell had started that the agent ended", async () => {
  const agent = await start("s");
  const command = await agent.pid("run");
  const running = await host.runningCommands("s", A_WHILE_MS);
  expect(await agent.ask("stop")).toBe("stopped");
  expect(isAlive(command)).toBe(true);

  await running.end();
  expect(isAlive(command)).toBe(false);
  expect(isAlive(agent.agent.pid)).toBe(true);
});

it("a stop leaves a command that the agent forgets about", async () => {
  const agent = await start("s");
  const command = await agent.pid("run");
  await (await host.runningCommands("s", A_WHILE_MS)).end();
  expect(isAlive(command)).toBe(false);
  expect(await agent.ask("stop")).toBe("stopped");
});

it("a stop leaves a command that an agent runs through us", async () => {
  const command = await host.spawn({
    ...shell("(trap '' TERM; echo pid $$; while :; do sleep 1; done) & wait"),
    sessionId: "s",
    isCommand: true,
  });
  await announcedPids(command, 1);
  await (await host.runningCommands("s", A_WHILE_MS)).end();
  expect((await command.exited).signal).toBe("SIGTERM");
  await host.endSession("s");
});

it("spares what was started earlier, what is in the background, and other sessions", async () => {
  const background = `require("node:child_process").spawn(process.execPath, ["-e", ${JSON.stringify(
    startDetached({ thenExit: true }),
  )}], { stdio: ["ignore", "inherit", "ignore"] }); process.stdin.resume();`;
  const agent = await host.spawn({ ...node(background), sessionId: "s" });
  const [server] = await announcedPids(agent, 1);
  await eventually("its parent is gone", () => {
    const parent = processTable.read(processTable.read(server!)!.parent);
    return parent?.parent !== agent.pid;
  });
  const other = await start("other");
  const ofOther = await other.pid("run");

  await (await host.runningCommands("s", A_WHILE_MS)).end();
  // By the measure of the host, which starts a little late where Node itself took long to start.
  await eventually("it is old", () => processTable.startAges()(processTable.read(ofOther)!) > 100);
  await (await host.runningCommands("other", 50)).end();
  expect([agent.pid, server!, other.agent.pid, ofOther].map(isAlive)).toEqual([true, true, true, true]);
});

describe.runIf(process.platform === "linux")("with a hub", () => {
  it("spares the hub, and ends what it runs while nobody else uses it", async () => {
    const agent = await start("s");
    const hub = await agent.pid("ping");
    const command = await agent.pid("run in hub");
    await (await host.runningCommands("s", A_WHILE_MS)).end();
    expect([hub, command].map(isAlive)).toEqual([true, false]);
  });

  it("spares what a shared hub runs: it may be another session's", async () => {
    const first = await start("s1");
    const hub = await first.pid("ping");
    const second = await start("s2");
    const ofSecond = await second.pid("run in hub");
    const ofFirst = await first.pid("run");
    await (await host.runningCommands("s1", A_WHILE_MS)).end();
    expect([hub, ofSecond, ofFirst].map(isAlive)).toEqual([true, true, false]);
  });
});
