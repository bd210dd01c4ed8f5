/** How Codex is stopped, steered, changed and taken back, where it differs from others. */
import { expect, it } from "vitest";
import { hang, text, toolCall, usage } from "../../src/testkit/scripted-model/index.ts";
import { until } from "../../src/testkit/until.ts";
import { leftoverProcesses } from "../crash/leftover-processes.ts";
import { ofType, textOf } from "./agent-session.ts";
import { codexWorld } from "./codex-world.ts";

it("stops before it has begun", async () => {
  await using world = await codexWorld({
    scripts: () => ({ endless: [text("I begin "), hang()], hello: [text("Hello.")] }),
  });
  const session = await world.session();
  await session.run("First [[hello]]");
  const { message } = await session.prompt("Talk [[endless]]");
  await session.call("POST", "/interrupt");
  expect((await session.turnOf(message)).ended.outcome).toBe("interrupted");
  expect((await session.run("Now [[hello]]")).text).toBe("Hello.");
});

it("stops a command that had to be approved", async () => {
  const command = { cmd: "while true; do sleep 0.1; done", sandbox_permissions: "require_escalated" };
  await using world = await codexWorld({
    scripts: () => ({
      loop: [[toolCall("exec_command", { ...command, justification: "So." })], [text("?")]],
    }),
  });
  const session = await world.session({ permissionMode: "default" });
  const { message } = await session.prompt("Loop [[loop]]");
  await session.answer((await session.event("ask.opened")).ask, { reply: "once" });
  const agent = String(await session.pid());
  await until(async () => (await leftoverProcesses(world.data)).length > 1);
  await session.call("POST", "/interrupt");
  expect((await session.turnOf(message)).ended.outcome).toBe("interrupted");
  await until(async () => (await leftoverProcesses(world.data)).join() === agent);
});

it("lets a command of an earlier turn go on, tells what it writes, and ends it with the session", async () => {
  const serve = "i=0; while true; do i=$((i+1)); echo tick $i; sleep 0.2; done";
  await using world = await codexWorld({
    scripts: () => ({
      serve: [[toolCall("exec_command", { cmd: serve, yield_time_ms: 300 })], [text("It is up.")]],
      talk: [text("I begin "), hang()],
    }),
  });
  const session = await world.session({ permissionMode: "bypass" });
  const turn = await session.run("Serve [[serve]]");
  expect(turn).toMatchObject({ ended: { outcome: "completed" }, text: "It is up." });
  expect(ofType(turn.events, "tool.output")).toMatchObject([{ running: true }]);
  await session.event("task.updated", ({ delta }) => delta?.includes("tick") ?? false);
  const { message } = await session.prompt("Talk [[talk]]");
  await session.event("text.delta", ({ delta }) => delta.includes("begin"));
  await session.call("POST", "/interrupt");
  await session.turnOf(message);
  const { seq } = session.events.at(-1)!;
  await session.event("task.updated", (event) => event.seq > seq);
  expect(ofType(session.events, "task.ended")).toEqual([]);
  await session.call("PATCH", "", { status: "closed" });
  const { length } = await leftoverProcesses(world.data);
  expect(length).toBeLessThanOrEqual(1);
});

it("takes a steering prompt into the running turn", async () => {
  await using world = await codexWorld({
    scripts: () => ({
      work: [
        [toolCall("exec_command", { cmd: "until [ -e go ]; do sleep 0.05; done", yield_time_ms: 60_000 })],
        [text("Worked.")],
      ],
      steer: [text("Steered.")],
    }),
  });
  const session = await world.session({ permissionMode: "bypass" });
  const first = await session.prompt("Work [[work]]");
  await session.event("tool.input");
  const steering = await session.prompt("Rather this [[steer]]", { whenBusy: "steer" });
  expect(steering.state).toBe("steered");
  world.write("go", "");
  const turn = await session.turnOf(first.message);
  expect(turn.ended.outcome).toBe("completed");
  expect(textOf(session.events)).toContain("Steered.");
  expect(JSON.stringify(world.model.requests.at(-1)?.body.input)).toContain("Rather this [[steer]]");
  await session.event("prompt.received", ({ message }) => message === steering.message);
  const answers = ofType(session.events, "message.started").map(({ replyTo }) => replyTo);
  expect(answers).toEqual([first.message, steering.message]);
});

it("steers in the middle of a text: what was said stays, and the answer follows", async () => {
  await using world = await codexWorld({
    scripts: () => ({ talk: [text("I talk "), hang()], steer: [text("I listen.")] }),
  });
  const session = await world.session();
  const { message } = await session.prompt("Talk [[talk]]");
  await session.event("text.delta");
  await session.prompt("Stop that [[steer]]", { whenBusy: "steer" });
  const turn = await session.turnOf(message);
  expect(turn).toMatchObject({ ended: { outcome: "completed" }, text: "I talk I listen." });
});

it("forgets what was taken back, also what another process has heard", async () => {
  await using world = await codexWorld({ scripts: () => ({ hello: [text("Hello.")] }) });
  const session = await world.session();
  await session.run("The word is kestrel [[hello]]");
  const { message } = await session.prompt("The word is heron [[hello]]");
  await session.turnOf(message);
  await world.stopDaemon();
  await world.startDaemon();
  await session.watch();
  const rewound = await session.call("POST", "/rewind", { before: message });
  expect(rewound.body).toMatchObject({ agentForgot: true });
  await session.run("Which word? [[hello]]");
  const input = JSON.stringify(world.model.requests.at(-1)?.body.input);
  expect(input).toContain("kestrel");
  expect(input).not.toContain("heron");
});

it("thinks as much as it is told to", async () => {
  await using world = await codexWorld({ scripts: () => ({ hello: [text("Hello.")] }) });
  const session = await world.session({ options: { effort: "low" } });
  await session.run("Hello [[hello]]");
  expect(world.model.requests.at(-1)?.body.reasoning).toMatchObject({ effort: "low" });
});

it("thinks as much as one prompt asks for, and then as before", async () => {
  await using world = await codexWorld({ scripts: () => ({ hello: [text("Hello.")] }) });
  const session = await world.session({ settings: { effort: "high" } });
  const effort = () => (world.model.requests.at(-1)!.body.reasoning as { effort?: string }).effort;
  const run = async (settings?: object) => {
    const { message } = await session.prompt("Hello [[hello]]", { settings });
    expect((await session.turnOf(message)).ended.outcome).toBe("completed");
  };
  await run();
  expect(effort()).toBe("high");
  await run({ effort: "low" });
  expect(effort()).toBe("low");
  await run();
  expect(effort()).toBe("high");
  expect((await session.view()).settings).toContainEqual(
    expect.objectContaining({ id: "effort", value: "high" }),
  );
  const refused = await session.call("POST", "/messages", {
    text: "Hello",
    settings: { effort: "enormous" },
  });
  expect(refused).toMatchObject({ status: 422, body: { code: "option_not_offered" } });
  expect(refused.body.detail).toMatch(/It offers: default, low, medium, high/);
  // The choice of the model itself can be had again.
  expect((await session.call("PATCH", "", { settings: { effort: "default" } })).status).toBe(200);
  await run({ effort: "low" });
  await run();
  expect(effort()).not.toBe("low");
});

it("counts what is used after the conversation was taken back", async () => {
  const said = (input: number, output: number, words: string) => [text(words), usage({ input, output })];
  await using world = await codexWorld({
    scripts: () => ({
      small: said(1000, 10, "Small."),
      large: said(5000, 50, "Large."),
      next: said(7000, 70, "Next."),
    }),
  });
  const session = await world.session();
  await session.run("One [[small]]");
  const { message } = await session.prompt("Two [[large]]");
  expect((await session.turnOf(message)).ended.usage).toMatchObject({ input: 5000, output: 50 });
  expect((await session.call("POST", "/rewind", { before: message })).status).toBe(200);
  const { ended } = await session.run("Three [[next]]");
  expect(ended.usage).toMatchObject({ input: 7000, output: 70 });
});

it("takes the modes that all agents share", async () => {
  await using world = await codexWorld({ scripts: () => ({ hello: [text("Hello.")] }) });
  const session = await world.session({ mode: "plan" });
  await session.run("Hello [[hello]]");
  expect((await session.view()).mode).toBe("plan");
  await session.call("PATCH", "", { mode: "build" });
  expect((await session.run("Again [[hello]]")).text).toBe("Hello.");
  expect((await session.view()).mode).toBe("build");
  const raw = await session.call("GET", "/raw?limit=1000");
  expect(raw.text).toMatch(/thread\/settings\/update.*collaborationMode[^}]*default/);
});
