/** Claude Code says things, uses its tools and takes what it is given. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { text, thinking, toolCall } from "../../src/testkit/scripted-model/index.ts";
import { ofType, textOf } from "./agent-session.ts";
import { CLAUDE } from "./claude-table.ts";
import { claudeWorld } from "./claude-world.ts";
import { PIXEL } from "./picture.ts";

it("thinks and speaks, piece by piece", async () => {
  await using world = await claudeWorld({
    scripts: () => ({ hello: [thinking("A greeting, ", "I think."), text("Hello, ", "world.")] }),
  });
  const session = await world.session({ model: "claude-haiku-4-5" });
  const turn = await session.run("Say it [[hello]]");
  expect(turn.text).toBe("Hello, world.");
  expect(
    ofType(turn.events, "reasoning.delta")
      .map(({ delta }) => delta)
      .join(""),
  ).toBe("A greeting, I think.");
  expect(ofType(turn.events, "text.delta").length).toBeGreaterThan(1);
  expect(turn.ended).toMatchObject({ outcome: "completed", usage: { input: 11, output: 7 } });
  const attached = await session.event("session.attached");
  expect(attached.agentVersion).toMatch(/^\d+\.\d+\.\d+$/);
  expect(world.model.strays).toEqual([]);
});

it("writes, reads, edits and runs, and the files are what it says", async () => {
  await using world = await claudeWorld({
    scripts: (project) => {
      const file = join(project, "notes.txt");
      return {
        work: [
          [text("First the file."), toolCall("Write", { file_path: file, content: "one\ntwo\n" })],
          [toolCall("Read", { file_path: file })],
          [toolCall("Edit", { file_path: file, old_string: "two", new_string: "three" })],
          [toolCall("Bash", { command: "cp notes.txt copy.txt && wc -l < copy.txt", description: "Copy" })],
          [text("Done.")],
        ],
      };
    },
  });
  const session = await world.session({ permissionMode: "acceptEdits", options: { allowedTools: ["Bash"] } });
  const turn = await session.run("Do it [[work]]");
  expect(turn.ended.outcome).toBe("completed");
  expect(readFileSync(join(world.project, "notes.txt"), "utf8")).toBe("one\nthree\n");
  expect(readFileSync(join(world.project, "copy.txt"), "utf8")).toBe("one\nthree\n");
  expect(ofType(turn.events, "tool.start").map(({ name }) => name)).toEqual([
    "Write",
    "Read",
    "Edit",
    "Bash",
  ]);
  expect(ofType(turn.events, "tool.output").filter(({ preliminary }) => !preliminary)).toHaveLength(4);
  expect(ofType(turn.events, "file.edited").map(({ path }) => path)).toEqual([
    join(world.project, "notes.txt"),
    join(world.project, "notes.txt"),
    // Made by a command: the checkpoint found it.
    join(world.project, "copy.txt"),
  ]);
  expect(ofType(turn.events, "step.ended")).toHaveLength(5);
  expect(turn.text).toBe("First the file.Done.");
});

it("uses tools at the same time, and one that fails does not stop the others", async () => {
  await using world = await claudeWorld({
    scripts: (project) => ({
      parallel: [
        [
          toolCall("Read", { file_path: join(project, "one.txt") }),
          toolCall("Read", { file_path: join(project, "missing.txt") }),
          toolCall("Read", { file_path: join(project, "two.txt") }),
        ],
        [text("Two of three.")],
      ],
    }),
  });
  world.write("one.txt", "first");
  world.write("two.txt", "second");
  const session = await world.session();
  const turn = await session.run("Read them [[parallel]]");
  const calls = ofType(turn.events, "tool.start").map(({ call }) => call);
  expect(calls).toHaveLength(3);
  const failed = ofType(turn.events, "tool.failed");
  expect(failed.map(({ call }) => call)).toEqual([calls[1]]);
  expect(failed[0]?.error).toContain("does not exist");
  expect(ofType(turn.events, "tool.output").map(({ call }) => call)).toEqual(
    expect.arrayContaining([calls[0], calls[2]]),
  );
  expect(turn).toMatchObject({ ended: { outcome: "completed" }, text: "Two of three." });
});

it("shows the model a picture", async () => {
  await using world = await claudeWorld({ scripts: () => ({ look: [text("A pixel.")] }) });
  const session = await world.session();
  const parts = [
    { type: "text", text: "What is it? [[look]]" },
    { type: "file", mediaType: "image/png", url: `data:image/png;base64,${PIXEL}` },
  ];
  const { message } = (await session.call("POST", "/messages", { parts })).body;
  expect((await session.turnOf(message)).text).toBe("A pixel.");
  expect(JSON.stringify(world.model.requests.at(-1)?.body.messages)).toContain(
    JSON.stringify({ type: "base64", media_type: "image/png", data: PIXEL }),
  );
});

it("runs slash commands, its own and those of the project", async () => {
  await using world = await claudeWorld({ scripts: () => ({ greet: [text("Greetings.")] }) });
  world.write(".claude/commands/greet.md", "Greet [[greet]] $ARGUMENTS\n");
  const session = await world.session();
  const greeting = await session.run("/greet Ada");
  expect(greeting.text).toBe("Greetings.");
  expect(
    world.model.requests
      .at(-1)
      ?.messages.map(({ text }) => text)
      .join(),
  ).toContain("Greet [[greet]] Ada");
  const { commands } = await session.event("session.attached", ({ commands }) => commands !== undefined);
  expect(commands?.map(({ name }) => name)).toContain("greet");

  const before = world.model.requests.length;
  const local = await session.run("/cost");
  expect(local.ended.outcome).toBe("completed");
  expect(local.text).not.toBe("");
  expect(world.model.requests).toHaveLength(before);
});

it("hands a task to a sub-agent, hears its report, and goes on by itself", async () => {
  await using world = await claudeWorld({
    scripts: (project) => CLAUDE.subagent!.scripts(project, [text("The report is here.")]),
  });
  world.write("one.txt", "42");
  const session = await world.session();
  const turn = await session.run("Find out [[delegate]]");
  const [agent] = ofType(turn.events, "tool.start");
  expect(agent?.name).toBe("Agent");
  await session.event("text.delta", ({ delta }) => delta.includes("The report is here."));
  const read = await session.event("tool.start", ({ name }) => name === "Read");
  expect(read.parent).toBe(agent?.call);
  const ended = await session.event("turn.ended", ({ turn: id }) => id !== turn.ended.turn);
  expect(ended.outcome).toBe("completed");
  expect(ofType(session.events, "turn.started").map(({ origin }) => origin)).toEqual(["user", "agent"]);
  expect(textOf(session.events.filter(({ turn: id }) => id === ended.turn))).toBe("The report is here.");
});

it("shows what a sub-agent says and thinks while the agent waits for it", async () => {
  await using world = await claudeWorld({
    environment: { CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: "1" },
    scripts: (project) => ({
      delegate: [
        [
          text("I delegate."),
          toolCall("Agent", {
            description: "Look around",
            prompt: "Read it [[look]]",
            subagent_type: "general-purpose",
          }),
        ],
        [text("It is done.")],
      ],
      look: [
        [
          thinking("Where is it?"),
          text("I look."),
          toolCall("Read", { file_path: join(project, "one.txt") }),
        ],
        [text("The fact is 42.")],
      ],
    }),
  });
  world.write("one.txt", "42");
  const session = await world.session();
  const turn = await session.run("Find out [[delegate]]");
  expect(turn.ended.outcome).toBe("completed");
  const [agent] = ofType(turn.events, "tool.start");
  const inside = turn.events.filter((event) => "parent" in event && event.parent === agent?.call);
  expect(ofType(inside, "text.delta").map(({ delta }) => delta)).toEqual(["I look.", "The fact is 42."]);
  expect(ofType(inside, "reasoning.delta").map(({ delta }) => delta)).toEqual(["Where is it?"]);
  expect(ofType(inside, "tool.start").map(({ name }) => name)).toEqual(["Read"]);
  expect(textOf(turn.events.filter((event) => !("parent" in event)))).toBe("I delegate.It is done.");
});
