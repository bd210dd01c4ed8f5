/** What OpenCode asks for, and what comes of each answer. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { text, toolCall } from "../../src/testkit/scripted-model/index.ts";
import { ofType } from "./agent-session.ts";
import { OPENCODE } from "./opencode-table.ts";
import { lastMessages, openCodeSession, openCodeWorld } from "./opencode-world.ts";

const scripts = (project: string) => ({
  write: [[toolCall("write", { filePath: join(project, "a.txt"), content: "A" })], [text("Written.")]],
  echo: [
    [toolCall("bash", { command: "echo one", description: "One" })],
    [toolCall("bash", { command: "echo two", description: "Two" })],
    [text("Both done.")],
  ],
  question: [[OPENCODE.tools.question], [text("Thanks.")]],
});

const asking = { permissionMode: "default" };

it("does what was allowed once, and shows beforehand what will change", async () => {
  await using world = await openCodeWorld({ scripts });
  const session = await openCodeSession(world, asking);
  const { message } = await session.prompt("Write [[write]]");
  const ask = await session.event("ask.opened");
  expect(ask.changes?.[0]).toMatchObject({ path: join(world.project, "a.txt") });
  expect(existsSync(join(world.project, "a.txt"))).toBe(false);
  await session.answer(ask.ask, { reply: "once" });
  expect((await session.turnOf(message)).text).toBe("Written.");
  expect(existsSync(join(world.project, "a.txt"))).toBe(true);
});

it("shows the command when it asks to run it, also to a client of the AI SDK", async () => {
  await using world = await openCodeWorld({ scripts });
  const session = await openCodeSession(world, asking);
  const { message } = await session.prompt("Echo [[echo]]");
  const ask = await session.event("ask.opened");
  expect(ask.detail).toMatchObject({ command: "echo one" });
  const { body } = await session.chat(`/messages/${ask.message}?include=chunks`);
  const approval = body.chunks.findLast(({ type }: { type: string }) => type === "tool-input-available");
  expect(approval).toMatchObject({ toolName: "bash", input: { command: "echo one" } });
  await session.event("tool.input");
  const { body: waiting } = await session.chat(`/messages/${ask.message}`);
  const part = waiting.message.parts.find(({ type }: { type: string }) => type === "tool-bash");
  expect(part).toMatchObject({
    state: "approval-requested",
    input: { command: "echo one", description: "One" },
  });
  await session.answer(ask.ask, { reply: "always" });
  expect((await session.turnOf(message)).text).toBe("Both done.");
});

it("does not ask again for what is always allowed", async () => {
  await using world = await openCodeWorld({ scripts });
  const session = await openCodeSession(world, asking);
  const { message } = await session.prompt("Echo [[echo]]");
  const ask = await session.event("ask.opened");
  expect(ask.options.find(({ effect }) => effect === "always")?.covers).toEqual(["echo *"]);
  await session.answer(ask.ask, { reply: "always" });
  const turn = await session.turnOf(message);
  expect(turn.text).toBe("Both done.");
  expect(ofType(turn.events, "ask.opened")).toHaveLength(1);
});

it("ends its turn after a no, and goes on after a no with a reason", async () => {
  await using world = await openCodeWorld({ scripts });
  const session = await openCodeSession(world, asking);
  const first = await session.prompt("Write [[write]]");
  await session.answer((await session.event("ask.opened")).ask, { reply: "reject" });
  const ended = await session.turnOf(first.message);
  expect(ended).toMatchObject({ ended: { outcome: "completed" }, text: "" });
  expect(ofType(ended.events, "tool.denied")).toHaveLength(1);

  const second = await session.prompt("Write again [[write]]");
  const turn = await session.event("prompt.dispatched", ({ message }) => message === second.message);
  const ask = await session.event("ask.opened", (event) => event.turn === turn.turn);
  await session.answer(ask.ask, { reply: "reject", message: "Use another name" });
  expect((await session.turnOf(second.message)).text).toBe("Written.");
  expect(lastMessages(world)).toContain("Use another name");
  expect(existsSync(join(world.project, "a.txt"))).toBe(false);
});

it("gets answers to its questions, and takes it when there is none", async () => {
  await using world = await openCodeWorld({ scripts });
  const session = await openCodeSession(world);
  const first = await session.prompt("Ask [[question]]");
  const ask = await session.event("ask.opened");
  expect(ask.questions?.[0]).toMatchObject({ text: "Which colour?", free: true });
  await session.answer(ask.ask, { answers: { q1: ["Blue"] } });
  expect((await session.turnOf(first.message)).text).toBe("Thanks.");
  expect(OPENCODE.heard(world.model).results.at(-1)).toContain("Blue");

  const second = await session.prompt("Ask again [[question]]");
  const turn = await session.event("prompt.dispatched", ({ message }) => message === second.message);
  const again = await session.event("ask.opened", (event) => event.turn === turn.turn);
  await session.answer(again.ask, { option: "reject" });
  expect((await session.turnOf(second.message)).ended.outcome).toBe("completed");
});

it("forgets an ask when it is stopped, although the server does not", async () => {
  await using world = await openCodeWorld({ scripts });
  const session = await openCodeSession(world, asking);
  const first = await session.prompt("Write [[write]]");
  const ask = await session.event("ask.opened");
  await session.call("POST", "/interrupt");
  expect((await session.turnOf(first.message)).ended.outcome).toBe("interrupted");
  expect(await session.event("ask.closed")).toMatchObject({ ask: ask.ask, outcome: "cancelled" });
  const second = await session.prompt("Write again [[write]]");
  const turn = await session.event("prompt.dispatched", ({ message }) => message === second.message);
  const again = await session.event("ask.opened", (event) => event.turn === turn.turn);
  await session.answer(again.ask, { reply: "once" });
  expect((await session.turnOf(second.message)).text).toBe("Written.");
});
