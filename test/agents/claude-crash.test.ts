/** Claude Code or the daemon is killed in the middle of its work. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { text, toolCall } from "../../src/testkit/scripted-model/index.ts";
import { until } from "../../src/testkit/until.ts";
import { leftoverProcesses } from "../crash/leftover-processes.ts";
import { ofType } from "./agent-session.ts";
import { claudeWorld } from "./claude-world.ts";

const scripts = () => ({
  hello: [text("Hello, I am here.")],
  loop: [
    [toolCall("Bash", { command: "while true; do sleep 0.1; done", description: "Loop" })],
    [text("Never said.")],
  ],
  recall: [text("I remember.")],
});

const options = { allowedTools: ["Bash"] };

/** It writes its conversation a little after it acts, and a prompt that is not written is one it never had. */
async function untilWritten(home: string, words: string): Promise<void> {
  const pattern = join(home, ".claude/projects/**/*.jsonl");
  await until(() => globSync(pattern).some((file) => readFileSync(file, "utf8").includes(words)));
}

it("is killed: the turn fails, its command ends with it, and the next prompt finds it informed", async () => {
  await using world = await claudeWorld({ scripts });
  const session = await world.session({ options });
  await session.run("Hello [[hello]]");
  const { message } = await session.prompt("Loop [[loop]]");
  await session.event("tool.input");
  await until(async () => (await leftoverProcesses(world.data)).length > 1);
  await untilWritten(world.home, "[[loop]]");
  process.kill(await session.pid(), "SIGKILL");
  const { ended } = await session.turnOf(message);
  expect(ended).toMatchObject({ outcome: "failed", error: { code: "agent_exited" } });
  expect(await session.event("session.detached")).toMatchObject({ reason: "crash", signal: "SIGKILL" });
  await until(async () => (await leftoverProcesses(world.data)).length === 0);

  expect((await session.run("Recall [[recall]]")).text).toBe("I remember.");
  const messages = JSON.stringify(world.model.requests.at(-1)?.body.messages);
  for (const part of ["Hello [[hello]]", "Hello, I am here.", "Loop [[loop]]"])
    expect(messages).toContain(part);
  expect(ofType(session.events, "session.attached").at(-1)).toMatchObject({ resumed: true, generation: 2 });
});

it("is left alone by a daemon that is killed: nothing runs on, and the next daemon finds it informed", async () => {
  await using world = await claudeWorld({ scripts });
  const daemon = await world.startDaemonProcess();
  const session = await world.session({ options });
  await session.run("Hello [[hello]]");
  await session.prompt("Loop [[loop]]");
  await session.event("tool.input");
  await until(async () => (await leftoverProcesses(world.data)).length > 1);
  await untilWritten(world.home, "[[loop]]");
  await daemon.kill("SIGKILL");

  await world.startDaemonProcess();
  expect(await leftoverProcesses(world.data)).toEqual([]);
  await session.watch();
  expect(await session.event("turn.ended", ({ outcome }) => outcome !== "completed")).toMatchObject({
    outcome: "interrupted",
    error: { code: "daemon_restarted" },
  });
  expect((await session.run("Recall [[recall]]")).text).toBe("I remember.");
  const messages = JSON.stringify(world.model.requests.at(-1)?.body.messages);
  for (const part of ["Hello [[hello]]", "Hello, I am here.", "Loop [[loop]]"])
    expect(messages).toContain(part);
});

it("is taken up again by a daemon that was stopped in the middle of a turn", async () => {
  await using world = await claudeWorld({ scripts });
  const session = await world.session({ options });
  await session.run("Hello [[hello]]");
  await session.prompt("Loop [[loop]]");
  await until(async () => (await leftoverProcesses(world.data)).length > 1);
  await world.stopDaemon();
  expect(await leftoverProcesses(world.data)).toEqual([]);

  await world.startDaemon();
  await session.watch();
  expect(await session.event("turn.ended", ({ outcome }) => outcome !== "completed")).toMatchObject({
    outcome: "interrupted",
    error: { code: "daemon_restarted" },
  });
  expect((await session.run("Recall [[recall]]")).text).toBe("I remember.");
  const messages = JSON.stringify(world.model.requests.at(-1)?.body.messages);
  expect(messages).toContain("Hello, I am here.");
  // It was stopped before it was ended, so it knows how far it had come.
  expect(messages).toContain("[Request interrupted by user for tool use]");
});
