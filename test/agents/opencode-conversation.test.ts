/** What people do all day with OpenCode, through the daemon. */
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { text, thinking, toolCall } from "../../src/testkit/scripted-model/index.ts";
import { leftoverProcesses } from "../crash/leftover-processes.ts";
import { ofType } from "./agent-session.ts";
import { OPENCODE } from "./opencode-table.ts";
import {
  conversationRequests,
  lastMessages,
  MODEL,
  openCodeSession,
  openCodeWorld,
} from "./opencode-world.ts";
import { PIXEL } from "./picture.ts";

it("thinks and answers with the model that the user's configuration has chosen", async () => {
  await using world = await openCodeWorld({
    scripts: () => ({ hello: [thinking("Let me ", "think."), text("Hello, ", "I think.")] }),
  });
  const session = await world.session();
  const turn = await session.run("Hello [[hello]]");
  expect(turn.text).toBe("Hello, I think.");
  expect(
    ofType(turn.events, "reasoning.delta")
      .map(({ delta }) => delta)
      .join(""),
  ).toBe("Let me think.");
  expect(turn.ended).toMatchObject({ outcome: "completed", usage: { input: 11, output: 7 } });
  const attached = await session.event("session.attached");
  expect(attached).toMatchObject({ agentVersion: "1.18.33", model: MODEL });
  expect(attached.modes?.map(({ id }) => id)).toEqual(["build", "plan"]);
  expect(attached.models?.map(({ id }) => id)).toEqual(["scripted/large", "scripted/small"]);
  expect(await session.event("session.updated", ({ title }) => title !== undefined)).toMatchObject({
    title: "ok",
  });
  // Nobody else was asked, not even for a title.
  expect(world.model.requests.every(({ model }) => model === "large")).toBe(true);
  expect(world.model.strays).toEqual([]);
  // The server's answers have keys in them; the log and the records have none.
  const raw = JSON.stringify((await session.call("GET", "/raw?limit=1000")).body);
  expect(raw).not.toContain("sk-scripted");
});

it("writes, reads, edits and runs, and the files are what it says", async () => {
  await using world = await openCodeWorld({
    scripts: (project) => {
      const filePath = join(project, "notes.txt");
      const todos = [
        { content: "Write", status: "completed", priority: "high" },
        { content: "Copy", status: "in_progress", priority: "low" },
      ];
      return {
        work: [
          [text("First the file."), toolCall("write", { filePath, content: "one\ntwo\n" })],
          [toolCall("read", { filePath })],
          [toolCall("edit", { filePath, oldString: "two", newString: "three" })],
          [toolCall("todowrite", { todos })],
          [toolCall("bash", { command: "cp notes.txt copy.txt && wc -l < copy.txt", description: "Copy" })],
          [toolCall("frobnicate", {}), toolCall("read", { filePath: join(project, "missing.txt") })],
          [text("Done.")],
        ],
      };
    },
  });
  const session = await openCodeSession(world);
  const turn = await session.run("Do it [[work]]");
  expect(turn.ended.outcome).toBe("completed");
  expect(turn.text).toBe("First the file.Done.");
  for (const file of ["notes.txt", "copy.txt"])
    expect(readFileSync(join(world.project, file), "utf8")).toBe("one\nthree\n");
  const names = ["write", "read", "edit", "todowrite", "bash", "frobnicate", "read"];
  expect(ofType(turn.events, "tool.start").map(({ name }) => name)).toEqual(names);
  expect(ofType(turn.events, "file.edited").map(({ kind, path }) => [kind, path])).toEqual([
    ["created", join(world.project, "notes.txt")],
    ["changed", join(world.project, "notes.txt")],
    // Made by a command: the checkpoint found it.
    ["created", join(world.project, "copy.txt")],
  ]);
  expect(ofType(turn.events, "plan.updated")[0]?.entries).toEqual([
    { text: "Write", status: "done", priority: "high" },
    { text: "Copy", status: "active", priority: "low" },
  ]);
  expect(ofType(turn.events, "tool.failed")).toHaveLength(2);
  expect(ofType(turn.events, "step.ended")).toHaveLength(7);
});

it("takes pictures and commands, and makes the conversation shorter", async () => {
  await using world = await openCodeWorld({ scripts: () => ({ look: [text("I see.")] }) });
  world.write(".opencode/command/greet.md", "Greet $ARGUMENTS [[look]]\n");
  const session = await openCodeSession(world);
  const parts = [
    { type: "text", text: "What is it? [[look]]" },
    { type: "file", mediaType: "image/png", url: `data:image/png;base64,${PIXEL}` },
  ];
  const { message } = (await session.call("POST", "/messages", { parts })).body;
  expect((await session.turnOf(message)).text).toBe("I see.");
  expect(lastMessages(world)).toContain(PIXEL);

  expect((await session.run("/greet Ada")).text).toBe("I see.");
  expect(lastMessages(world)).toContain("Greet Ada");

  const compaction = await session.run("/compact");
  expect(compaction.ended.outcome).toBe("completed");
  expect(ofType(compaction.events, "compaction.started")).toHaveLength(1);
  expect(ofType(compaction.events, "compaction.ended")[0]?.summary).toBe("I see.");
  expect((await session.run("Go on [[look]]")).text).toBe("I see.");
  expect(lastMessages(world)).not.toContain(PIXEL);
});

it("hands a task to a sub-agent, whose end is not the end", async () => {
  await using world = await openCodeWorld({
    scripts: (project) => OPENCODE.subagent!.scripts(project, [text("The report is here.")]),
  });
  world.write("one.txt", "42");
  const session = await openCodeSession(world);
  const turn = await session.run("Find out [[delegate]]");
  const [task, read] = ofType(turn.events, "tool.start");
  expect([task?.name, read?.name]).toEqual(["task", "read"]);
  expect(read?.parent).toBe(task?.call);
  expect(turn.ended.outcome).toBe("completed");
  const own = ofType(turn.events, "text.delta").filter(({ parent }) => parent === undefined);
  expect(own.map(({ delta }) => delta).join("")).toBe("The report is here.");
  expect(JSON.stringify(ofType(turn.events, "tool.output").at(-1))).toContain("The fact is 42.");
});

it("works in two directories at once with one server", async () => {
  await using world = await openCodeWorld({
    scripts: () => ({
      where: [
        [toolCall("bash", { command: "pwd > here.txt; sleep 1", description: "Where" })],
        [text("Here.")],
      ],
    }),
  });
  const directories = ["one", "two"].map((name) => join(world.project, name));
  for (const directory of directories) mkdirSync(directory);
  const sessions = await Promise.all(directories.map((cwd) => openCodeSession(world, { cwd })));
  const turns = await Promise.all(sessions.map((session) => session.run("Where? [[where]]")));
  expect(turns.map(({ text }) => text)).toEqual(["Here.", "Here."]);
  for (const directory of directories)
    expect(readFileSync(join(directory, "here.txt"), "utf8").trim()).toBe(directory);
  expect(new Set(await Promise.all(sessions.map((session) => session.pid()))).size).toBe(1);
  expect(await leftoverProcesses(world.data)).toHaveLength(1);
  expect(conversationRequests(world.model)).toHaveLength(4);
});
