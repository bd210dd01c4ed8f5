/** Claude Code asks, and a person decides. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { text, toolCall } from "../../src/testkit/scripted-model/index.ts";
import { temporaryDirectory } from "../crash/daemon-process.ts";
import { ofType } from "./agent-session.ts";
import { CLAUDE } from "./claude-table.ts";
import { claudeWorld } from "./claude-world.ts";
import { toolResults } from "./model-requests.ts";

it("acts once it was allowed to", async () => {
  await using world = await claudeWorld({
    scripts: (project) => ({
      write: [[toolCall("Write", { file_path: join(project, "a.txt"), content: "A" })], [text("Written.")]],
    }),
  });
  const session = await world.session();
  const { message } = await session.prompt("Write [[write]]");
  const ask = await session.event("ask.opened");
  expect(ask).toMatchObject({ kind: "permission", call: expect.any(String) });
  expect((await session.view()).status).toBe("waiting");
  expect(existsSync(join(world.project, "a.txt"))).toBe(false);
  await session.answer(ask.ask, { reply: "once" });
  expect(await session.turnOf(message)).toMatchObject({ ended: { outcome: "completed" }, text: "Written." });
  expect(readFileSync(join(world.project, "a.txt"), "utf8")).toBe("A");
  expect(await session.event("ask.closed")).toMatchObject({ outcome: "answered", delivered: true });
});

it("shows the change when it asks to edit a file", async () => {
  await using world = await claudeWorld({
    scripts: (project) => ({
      edit: [
        [toolCall("Read", { file_path: join(project, "a.txt") })],
        [toolCall("Edit", { file_path: join(project, "a.txt"), old_string: "two", new_string: "three" })],
        [text("Edited.")],
      ],
    }),
  });
  const line = (number: number) => `line ${number}\n`;
  const lines = Array.from({ length: 200 }, (_, index) => line(index + 1)).join("");
  writeFileSync(join(world.project, "a.txt"), lines.replace(line(150), "one two\n"));
  const session = await world.session();
  const { message } = await session.prompt("Edit [[edit]]");
  const ask = await session.event("ask.opened");
  const around = (numbers: number[]) => numbers.map((number) => ` ${line(number)}`).join("");
  expect(ask.changes).toMatchObject([
    {
      path: join(world.project, "a.txt"),
      kind: "changed",
      diff: expect.stringContaining(
        `@@ -147,7 +147,7 @@\n${around([147, 148, 149])}-one two\n+one three\n${around([151, 152, 153])}`,
      ),
    },
  ]);
  await session.answer(ask.ask, { reply: "once" });
  const { text: said, events } = await session.turnOf(message);
  expect(said).toBe("Edited.");
  // What was proposed is what was done.
  expect(hunks(ofType(events, "file.edited")[0]?.diff)).toEqual(hunks(ask.changes![0]!.diff));
  expect(readFileSync(join(world.project, "a.txt"), "utf8")).toBe(lines.replace(line(150), "one three\n"));
});

it("proposes what it then does to a file, line ends and all", async () => {
  const edits = [
    { old_string: "line 20", new_string: "" },
    { old_string: "line 30\nline 31", new_string: "line 30 and 31" },
    { old_string: "last", new_string: "the last", replace_all: true },
  ];
  await using world = await claudeWorld({
    scripts: (project) => {
      const file_path = join(project, "a.txt");
      return {
        edit: [
          [toolCall("Read", { file_path })],
          ...edits.map((edit) => [toolCall("Edit", { file_path, ...edit })]),
          [toolCall("Write", { file_path, content: "all\nnew\n" })],
          [text("Edited.")],
        ],
      };
    },
  });
  const lines = Array.from({ length: 40 }, (_, index) => `line ${index + 1}\r\n`).join("");
  writeFileSync(join(world.project, "a.txt"), `${lines}last`);
  const session = await world.session();
  const { message } = await session.prompt("Edit [[edit]]");
  const proposed: unknown[] = [];
  const answered = new Set<string>();
  for (const _ of [...edits, "Write"]) {
    const { ask, changes } = await session.event("ask.opened", (opened) => !answered.has(opened.ask));
    answered.add(ask);
    proposed.push(hunks(changes![0]!.diff));
    await session.answer(ask, { reply: "once" });
  }
  const { events } = await session.turnOf(message);
  expect(proposed).toEqual(ofType(events, "file.edited").map(({ diff }) => hunks(diff)));
});

function hunks(diff = ""): string[] {
  return diff.split("\n").filter((line) => /^[@ +-]/.test(line) && !/^(---|\+\+\+) /.test(line));
}

it("remembers a rule where it says it does, and asks no more", async () => {
  await using world = await claudeWorld({
    scripts: () => ({
      make: [[toolCall("Bash", { command: "mkdir -p made", description: "Make" })], [text("Made.")]],
    }),
  });
  const session = await world.session();
  const { message } = await session.prompt("Make it [[make]]");
  const ask = await session.event("ask.opened");
  const always = ask.options.find(({ effect, storedIn }) => effect === "always" && storedIn !== undefined);
  expect(always).toBeDefined();
  await session.answer(ask.ask, { option: always!.id });
  expect((await session.turnOf(message)).ended.outcome).toBe("completed");
  const rules = JSON.parse(readFileSync(join(world.project, ".claude/settings.local.json"), "utf8"));
  expect(JSON.stringify(rules.permissions.allow)).toContain("Bash(mkdir");
  expect(always!.storedIn).toContain(".claude/settings.local.json");

  const again = await session.run("Again [[make]]");
  expect(again.ended.outcome).toBe("completed");
  expect(ofType(session.events, "ask.opened")).toHaveLength(1);
});

it("hears why it was not allowed, and goes on", async () => {
  await using world = await claudeWorld({
    scripts: (project) => ({
      write: [[toolCall("Write", { file_path: join(project, "a.txt"), content: "A" })], [text("Then not.")]],
    }),
  });
  const session = await world.session();
  const { message } = await session.prompt("Write [[write]]");
  const { ask, call } = await session.event("ask.opened");
  await session.answer(ask, { reply: "reject", message: "Call it b.txt instead." });
  const turn = await session.turnOf(message);
  expect(turn).toMatchObject({ ended: { outcome: "completed" }, text: "Then not." });
  expect(ofType(turn.events, "tool.denied")).toMatchObject([{ call, reason: "Call it b.txt instead." }]);
  expect(JSON.stringify(toolResults(world.model.requests.at(-1)!))).toContain("Call it b.txt instead.");
  expect(existsSync(join(world.project, "a.txt"))).toBe(false);
});

it("hears what was said with a yes", async () => {
  await using world = await claudeWorld({
    scripts: (project) => ({
      write: [[toolCall("Write", { file_path: join(project, "a.txt"), content: "A" })], [text("Heard.")]],
    }),
  });
  const session = await world.session();
  const { message } = await session.prompt("Write [[write]]");
  const { ask } = await session.event("ask.opened");
  await session.answer(ask, { reply: "once", message: "And keep it short." });
  const turn = await session.turnOf(message);
  expect(turn.ended.outcome).toBe("completed");
  expect(existsSync(join(world.project, "a.txt"))).toBe(true);
  expect(JSON.stringify(world.model.requests.at(-1)!.body)).toContain("And keep it short.");
  expect(ofType(session.events, "turn.started")).toHaveLength(1);
  expect(ofType(session.events, "prompt.accepted")).toHaveLength(1);
});

it("asks for two things at once, answered the other way round", async () => {
  await using outside = await temporaryDirectory();
  const paths = ["a.txt", "b.txt"].map((name) => join(outside.path, name));
  for (const path of paths) writeFileSync(path, `content of ${path}`);
  await using world = await claudeWorld({
    scripts: () => ({
      both: [paths.map((file_path) => toolCall("Read", { file_path })), [text("One of two.")]],
    }),
  });
  const session = await world.session();
  const { message } = await session.prompt("Both [[both]]");
  const first = await session.event("ask.opened");
  const second = await session.event("ask.opened", ({ ask }) => ask !== first.ask);
  await session.answer(second.ask, { reply: "once" });
  await session.answer(first.ask, { reply: "reject" });
  const turn = await session.turnOf(message);
  expect(turn.ended.outcome).toBe("completed");
  expect(ofType(turn.events, "tool.denied").map(({ call }) => call)).toEqual([first.call]);
  expect(ofType(turn.events, "tool.output").map(({ call }) => call)).toEqual([second.call]);
});

it("puts a question and hears the answer", async () => {
  await using world = await claudeWorld({
    scripts: () => ({
      ask: [[CLAUDE.tools.question], [text("Blue it is.")]],
    }),
  });
  const session = await world.session();
  const { message } = await session.prompt("Ask me [[ask]]");
  const ask = await session.event("ask.opened");
  expect(ask).toMatchObject({ kind: "question", questions: [{ text: "Which colour?" }] });
  await session.answer(ask.ask, { answers: { [ask.questions![0]!.id]: ["Blue"] } });
  expect(await session.turnOf(message)).toMatchObject({
    ended: { outcome: "completed" },
    text: "Blue it is.",
  });
  expect(JSON.stringify(toolResults(world.model.requests.at(-1)!))).toContain("Blue");
});

it("shows its plan, and leaves plan mode when it is approved", async () => {
  await using world = await claudeWorld({
    scripts: () => ({
      plan: [[toolCall("ExitPlanMode", { plan: "1. Write\n2. Rest" })], [text("I begin.")]],
    }),
  });
  const session = await world.session({ permissionMode: "plan" });
  const { message } = await session.prompt("Plan it [[plan]]");
  const ask = await session.event("ask.opened");
  expect(ask.kind).toBe("plan");
  await session.answer(ask.ask, { reply: "once" });
  expect(await session.turnOf(message)).toMatchObject({ ended: { outcome: "completed" }, text: "I begin." });
  expect((await session.view()).permissionMode).toBe("default");
});

it("stays in plan mode when its plan is rejected, and hears why", async () => {
  await using world = await claudeWorld({
    scripts: () => ({
      plan: [[toolCall("ExitPlanMode", { plan: "1. Write" })], [text("I think again.")]],
    }),
  });
  const session = await world.session({ permissionMode: "plan" });
  const { message } = await session.prompt("Plan it [[plan]]");
  const { ask } = await session.event("ask.opened");
  await session.answer(ask, { reply: "reject", message: "Too short." });
  expect((await session.turnOf(message)).text).toBe("I think again.");
  expect(JSON.stringify(toolResults(world.model.requests.at(-1)!))).toContain("Too short.");
  expect((await session.view()).permissionMode).toBe("plan");
});
