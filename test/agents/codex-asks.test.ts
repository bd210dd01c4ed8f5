/** Codex asks, and a person decides. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { freeformToolCall, text, toolCall } from "../../src/testkit/scripted-model/index.ts";
import { ofType } from "./agent-session.ts";
import { CODEX } from "./codex-table.ts";
import { codexWorld } from "./codex-world.ts";
import { callResults } from "./model-requests.ts";

/** A command the model wants to run outside the sandbox. */
const escalated = (cmd: string) =>
  toolCall("exec_command", { cmd, sandbox_permissions: "require_escalated", justification: "It has to be." });

const addFile = (path: string, content: string) =>
  freeformToolCall("apply_patch", `*** Begin Patch\n*** Add File: ${path}\n+${content}\n*** End Patch`);

const scripts = () => ({
  touch: [[escalated("touch made.txt")], [text("Touched.")]],
  patch: [[addFile("a.txt", "A")], [text("Patched.")]],
});

it("runs a command once it was allowed to", async () => {
  await using world = await codexWorld({ scripts });
  const session = await world.session({ permissionMode: "default" });
  const { message } = await session.prompt("Touch [[touch]]");
  const ask = await session.event("ask.opened");
  expect(ask).toMatchObject({
    kind: "permission",
    title: "Run touch made.txt",
    description: "It has to be.",
    call: expect.any(String),
  });
  expect((await session.view()).status).toBe("waiting");
  expect(existsSync(join(world.project, "made.txt"))).toBe(false);
  await session.answer(ask.ask, { reply: "once" });
  expect(await session.turnOf(message)).toMatchObject({ ended: { outcome: "completed" }, text: "Touched." });
  expect(existsSync(join(world.project, "made.txt"))).toBe(true);
  expect(await session.event("ask.closed")).toMatchObject({ outcome: "answered", delivered: true });
  await session.prompt("Again [[touch]]");
  expect((await session.event("ask.opened", (next) => next.ask !== ask.ask)).title).toBe(
    "Run touch made.txt",
  );
});

it.each([
  ["for the session", "acceptForSession"],
  ["for good", "acceptWithExecpolicyAmendment"],
])("asks no more when it was allowed %s", async (_, option) => {
  await using world = await codexWorld({ scripts });
  const session = await world.session({ permissionMode: "default" });
  const { message } = await session.prompt("Touch [[touch]]");
  const ask = await session.event("ask.opened");
  expect(ask.options.find(({ id }) => id === option)?.effect).toBe("always");
  await session.answer(ask.ask, { option });
  expect((await session.turnOf(message)).ended.outcome).toBe("completed");
  expect((await session.run("Again [[touch]]")).ended.outcome).toBe("completed");
  expect(ofType(session.events, "ask.opened")).toHaveLength(1);
});

it("hears why it was not allowed, and goes on", async () => {
  await using world = await codexWorld({ scripts });
  const session = await world.session({ permissionMode: "default" });
  const { message } = await session.prompt("Touch [[touch]]");
  const { ask, call } = await session.event("ask.opened");
  await session.answer(ask, { reply: "reject", message: "Call it b.txt instead." });
  const turn = await session.turnOf(message);
  expect(turn).toMatchObject({ ended: { outcome: "completed" }, text: "Touched." });
  expect(ofType(turn.events, "tool.denied")).toMatchObject([{ call, reason: "Call it b.txt instead." }]);
  expect(JSON.stringify(world.model.requests.at(-1)?.body.input)).toContain("Call it b.txt instead.");
  expect(callResults(world.model.requests.at(-1)!).join()).toContain("rejected");
  expect(existsSync(join(world.project, "made.txt"))).toBe(false);
});

it("stops when that was chosen", async () => {
  await using world = await codexWorld({ scripts });
  const session = await world.session({ permissionMode: "default" });
  const { message } = await session.prompt("Touch [[touch]]");
  const { ask, options } = await session.event("ask.opened");
  const stopping = options.find(({ stops }) => stops);
  await session.answer(ask, { option: stopping!.id });
  const turn = await session.turnOf(message);
  expect(turn.ended.outcome).toBe("interrupted");
  expect(ofType(turn.events, "tool.denied")).toHaveLength(1);
  expect(existsSync(join(world.project, "made.txt"))).toBe(false);
});

it("shows what will happen to files, and changes them once it may", async () => {
  await using world = await codexWorld({ scripts });
  const session = await world.session({ permissionMode: "default" });
  const { message } = await session.prompt("Patch [[patch]]");
  const ask = await session.event("ask.opened");
  const file = join(world.project, "a.txt");
  expect(ask).toMatchObject({ title: "Change a.txt", changes: [{ path: file, kind: "created" }] });
  expect(ask.changes?.[0]?.diff).toContain("+A\n");
  await session.answer(ask.ask, { reply: "once" });
  expect((await session.turnOf(message)).ended.outcome).toBe("completed");
  expect(readFileSync(file, "utf8")).toBe("A\n");
  expect(await session.event("file.edited")).toMatchObject({ path: file, kind: "created" });
});

it("does not change a file it was not allowed to", async () => {
  await using world = await codexWorld({ scripts });
  const session = await world.session({ permissionMode: "default" });
  const { message } = await session.prompt("Patch [[patch]]");
  await session.answer((await session.event("ask.opened")).ask, { reply: "reject" });
  expect((await session.turnOf(message)).ended.outcome).toBe("completed");
  expect(existsSync(join(world.project, "a.txt"))).toBe(false);
  expect(ofType(session.events, "file.edited")).toEqual([]);
});

it("changes files without asking where edits are accepted", async () => {
  await using world = await codexWorld({ scripts });
  const session = await world.session({ permissionMode: "acceptEdits" });
  expect((await session.run("Patch [[patch]]")).ended.outcome).toBe("completed");
  expect(readFileSync(join(world.project, "a.txt"), "utf8")).toBe("A\n");
  expect(ofType(session.events, "ask.opened")).toEqual([]);
});

it("asks for two things at once, answered the other way round", async () => {
  await using world = await codexWorld({
    scripts: () => ({
      both: [[escalated("touch one.txt"), escalated("touch two.txt")], [text("One of two.")]],
    }),
  });
  const session = await world.session({ permissionMode: "default" });
  const { message } = await session.prompt("Both [[both]]");
  const isAbout = (name: string) => (ask: { title: string }) => ask.title.includes(name);
  const one = await session.event("ask.opened", isAbout("one.txt"));
  const two = await session.event("ask.opened", isAbout("two.txt"));
  await session.answer(two.ask, { reply: "once" });
  await session.answer(one.ask, { reply: "reject" });
  expect((await session.turnOf(message)).ended.outcome).toBe("completed");
  expect(existsSync(join(world.project, "one.txt"))).toBe(false);
  expect(existsSync(join(world.project, "two.txt"))).toBe(true);
});

it("puts a question in plan mode and hears the answer", async () => {
  await using world = await codexWorld({
    scripts: () => ({
      plan: [
        [CODEX.tools.question],
        [text("Here it is.\n<proposed_plan>\n# Plan\n1. Paint\n</proposed_plan>\n")],
      ],
    }),
  });
  const session = await world.session({ mode: "plan" });
  const { message } = await session.prompt("Plan [[plan]]");
  const ask = await session.event("ask.opened");
  expect(ask).toMatchObject({ kind: "question", title: "Which colour?" });
  expect(ask.questions?.[0]).toMatchObject({ id: "colour", header: "Colour", free: true });
  await session.answer(ask.ask, { answers: { colour: ["Blue"] } });
  const turn = await session.turnOf(message);
  expect(turn.ended.outcome).toBe("completed");
  expect(callResults(world.model.requests.at(-1)!).join()).toContain("Blue");
  expect(ofType(turn.events, "text.start").map(({ purpose }) => purpose)).toContain("plan");
  expect((await session.view()).mode).toBe("plan");
});

it("asks before it uses a tool of an MCP server, and no more when it may for the session", async () => {
  await using world = await codexWorld({
    scripts: () => ({ echo: [[toolCall("mcp__echo.echo", { text: "hello" })], [text("It answered.")]] }),
  });
  const session = await world.session({
    permissionMode: "acceptEdits",
    mcpServers: { echo: { command: process.execPath, args: [join(import.meta.dirname, "mcp-server.ts")] } },
  });
  const { message } = await session.prompt("Use it [[echo]]");
  const ask = await session.event("ask.opened");
  expect(ask).toMatchObject({
    kind: "permission",
    call: expect.any(String),
    title: expect.stringContaining("echo"),
  });
  await session.answer(ask.ask, { reply: "always" });
  const turn = await session.turnOf(message);
  expect(turn).toMatchObject({ ended: { outcome: "completed" }, text: "It answered." });
  expect(ofType(turn.events, "tool.output")).toMatchObject([{ output: expect.stringContaining("hello") }]);
  await session.run("Again [[echo]]");
  expect(ofType(session.events, "ask.opened")).toHaveLength(1);
});

it("hands on the form of an MCP server, and what was filled in", async () => {
  await using world = await codexWorld({
    scripts: () => ({ ask: [[toolCall("mcp__form.ask", {})], [text("Filled in.")]] }),
  });
  const session = await world.session({
    permissionMode: "acceptEdits",
    mcpServers: {
      form: { command: process.execPath, args: [join(import.meta.dirname, "asking-mcp-server.ts")] },
    },
  });
  const { message } = await session.prompt("Ask [[ask]]");
  const ask = await session.event("ask.opened");
  expect(ask).toMatchObject({
    kind: "question",
    title: "Where to?",
    questions: [
      { id: "count", text: "Count", type: "integer" },
      { id: "place", text: "Place", options: [{ label: "here" }, { label: "there" }], required: true },
      { id: "sure", text: "Sure", type: "boolean" },
    ],
  });
  await session.answer(ask.ask, { answers: { place: ["there"], count: ["3"], sure: ["true"] } });
  const turn = await session.turnOf(message);
  expect(turn).toMatchObject({ ended: { outcome: "completed" }, text: "Filled in." });
  const filledIn = { action: "accept", content: { place: "there", count: 3, sure: true } };
  expect(ofType(turn.events, "tool.output")).toMatchObject([{ output: JSON.stringify(filledIn) }]);
});
