/** Claude Code is stopped, steered, changed, put to rest and taken up again. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { hang, text, toolCall } from "../../src/testkit/scripted-model/index.ts";
import { until } from "../../src/testkit/until.ts";
import { leftoverProcesses } from "../crash/leftover-processes.ts";
import { ofType } from "./agent-session.ts";
import { claudeWorld } from "./claude-world.ts";

/** Goes on until it is ended: Claude Code refuses a bare `sleep`. */
const ENDLESS = "while true; do echo x >> ticks.txt; sleep 0.1; done";

it("stops in the middle of a text, and can go on", async () => {
  await using world = await claudeWorld({
    scripts: () => ({ endless: [text("I begin "), hang()], hello: [text("Hello again.")] }),
  });
  const session = await world.session();
  const { message } = await session.prompt("Talk [[endless]]");
  await session.event("text.delta");
  expect((await session.call("POST", "/interrupt")).body).toEqual({ interrupted: true });
  expect(await session.turnOf(message)).toMatchObject({
    ended: { outcome: "interrupted" },
    text: "I begin ",
  });
  expect(await session.run("Now [[hello]]")).toMatchObject({
    ended: { outcome: "completed" },
    text: "Hello again.",
  });
  expect(ofType(session.events, "session.attached")).toHaveLength(1);
});

it("stops a command, and leaves no child of it", async () => {
  await using world = await claudeWorld({
    scripts: () => ({ loop: [[toolCall("Bash", { command: ENDLESS, description: "Loop" })], [text("?")]] }),
  });
  const session = await world.session({ options: { allowedTools: ["Bash"] } });
  const { message } = await session.prompt("Loop [[loop]]");
  await session.event("tool.input");
  await until(async () => (await leftoverProcesses(world.data)).length > 1);
  await session.call("POST", "/interrupt");
  expect((await session.turnOf(message)).ended.outcome).toBe("interrupted");
  const agent = String(await session.pid());
  await until(async () => (await leftoverProcesses(world.data)).join() === agent);
});

it("leaves nothing when the session is closed in the middle of a command", async () => {
  await using world = await claudeWorld({
    scripts: () => ({ loop: [[toolCall("Bash", { command: ENDLESS, description: "Loop" })], [text("?")]] }),
  });
  const session = await world.session({ options: { allowedTools: ["Bash"] } });
  await session.prompt("Loop [[loop]]");
  await until(async () => (await leftoverProcesses(world.data)).length > 1);
  await session.call("PATCH", "", { status: "closed" });
  expect(await leftoverProcesses(world.data)).toEqual([]);
});

it("takes another model and another mode, seen by the model and by the tools", async () => {
  await using world = await claudeWorld({
    scripts: (project) => ({
      hello: [text("Hello.")],
      write: [[toolCall("Write", { file_path: join(project, "a.txt"), content: "A" })], [text("Written.")]],
    }),
  });
  const session = await world.session({ model: "claude-sonnet-4-5" });
  await session.run("Hello [[hello]]");
  expect(world.model.requests.at(-1)?.model).toBe("claude-sonnet-4-5");
  await session.call("PATCH", "", { model: "claude-haiku-4-5", permissionMode: "acceptEdits" });
  const turn = await session.run("Write [[write]]");
  expect(turn.ended.outcome).toBe("completed");
  expect(world.model.requests.at(-1)?.model).toBe("claude-haiku-4-5");
  expect(ofType(session.events, "ask.opened")).toEqual([]);
  expect(readFileSync(join(world.project, "a.txt"), "utf8")).toBe("A");
  expect(await session.view()).toMatchObject({ model: "claude-haiku-4-5", permissionMode: "acceptEdits" });
});

it("asks no more when its checks are switched off in a sandbox", async () => {
  await using world = await claudeWorld({
    environment: { IS_SANDBOX: "1" },
    scripts: (project) => ({
      hello: [text("Hello.")],
      write: [[toolCall("Write", { file_path: join(project, "a.txt"), content: "A" })], [text("Written.")]],
    }),
  });
  const session = await world.session();
  await session.run("Hello [[hello]]");
  await session.call("PATCH", "", { permissionMode: "bypass" });
  expect((await session.run("Write [[write]]")).text).toBe("Written.");
  expect(ofType(session.events, "ask.opened")).toEqual([]);
  expect(readFileSync(join(world.project, "a.txt"), "utf8")).toBe("A");
});

it.runIf(process.getuid?.() === 0)("says why root cannot switch its checks off later", async () => {
  await using world = await claudeWorld({ scripts: () => ({ hello: [text("Hello.")] }) });
  const session = await world.session();
  await session.run("Hello [[hello]]");
  await session.call("PATCH", "", { permissionMode: "bypass" });
  const notice = await session.event("notice", ({ code }) => code === "configure");
  expect(notice.text).toMatch(/root.*IS_SANDBOX=1/);
  expect((await session.view()).permissionMode).toBe("default");
});

it("runs queued prompts one after the other", async () => {
  await using world = await claudeWorld({
    scripts: () => ({ slow: [text("First "), hang(), text("done.")], next: [text("Second done.")] }),
  });
  const session = await world.session();
  const first = await session.prompt("One [[slow]]");
  await session.event("text.delta");
  const second = await session.prompt("Two [[next]]");
  expect(second.state).toBe("queued");
  world.model.release();
  expect((await session.turnOf(first.message)).text).toBe("First done.");
  expect((await session.turnOf(second.message)).text).toBe("Second done.");
});

it("takes a steering prompt into the running turn", async () => {
  await using world = await claudeWorld({
    scripts: () => ({
      work: [
        [toolCall("Bash", { command: "until [ -e go ]; do sleep 0.05; done", description: "Wait" })],
        [text("Worked.")],
      ],
    }),
  });
  const session = await world.session({ options: { allowedTools: ["Bash"] } });
  const first = await session.prompt("Work [[work]]");
  await session.event("tool.input");
  const steering = await session.prompt("Rather this", { whenBusy: "steer" });
  expect(steering.state).toBe("steered");
  // It says that it has the prompt, and takes it up when the tool is done.
  await until(async () => (await session.call("GET", "/raw?limit=1000")).text.includes("queued"));
  world.write("go", "");
  const turn = await session.turnOf(first.message);
  expect(turn.ended.outcome).toBe("completed");
  expect(JSON.stringify(world.model.requests.at(-1)?.body.messages)).toContain("Rather this");
});

it("rests when it has nothing to do, spares a server it was asked to start, and remembers", async () => {
  await using world = await claudeWorld({
    limits: { idleDetachMs: 500 },
    scripts: () => ({
      serve: [
        [toolCall("Bash", { command: "nohup sleep 1000 > /dev/null 2>&1 & echo up", description: "Serve" })],
        [text("It is up.")],
      ],
      recall: [text("I remember.")],
    }),
  });
  const session = await world.session({
    model: "claude-haiku-4-5",
    permissionMode: "acceptEdits",
    options: { allowedTools: ["Bash"] },
  });
  await session.run("Serve [[serve]]");
  expect((await session.event("session.detached")).reason).toBe("idle");
  expect(await leftoverProcesses(world.data)).toHaveLength(1);
  const turn = await session.run("Recall [[recall]]");
  expect(turn.text).toBe("I remember.");
  const messages = JSON.stringify(world.model.requests.at(-1)?.body.messages);
  expect(messages).toContain("Serve [[serve]]");
  expect(messages).toContain("It is up.");
  expect(world.model.requests.at(-1)?.model).toBe("claude-haiku-4-5");
  expect(ofType(session.events, "session.attached").at(-1)).toMatchObject({
    resumed: true,
    permissionMode: "acceptEdits",
  });
});

it("works in two sessions at once", async () => {
  await using world = await claudeWorld({
    scripts: () => ({
      one: [text("One "), hang("one"), text("ends.")],
      two: [text("Two "), hang("two"), text("ends.")],
    }),
  });
  const [one, two] = await Promise.all([world.session(), world.session()]);
  const [first, second] = await Promise.all([one.prompt("[[one]]"), two.prompt("[[two]]")]);
  await Promise.all([one.event("text.delta"), two.event("text.delta")]);
  world.model.release("two");
  expect((await two.turnOf(second.message)).text).toBe("Two ends.");
  world.model.release("one");
  expect((await one.turnOf(first.message)).text).toBe("One ends.");
});
