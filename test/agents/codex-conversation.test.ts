/** Codex says things, uses its tools and takes what it is given. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, it } from "vitest";
import { freeformToolCall, text, thinking, toolCall } from "../../src/testkit/scripted-model/index.ts";
import { ofType } from "./agent-session.ts";
import { CODEX } from "./codex-table.ts";
import { codexConfigFile, codexWorld } from "./codex-world.ts";
import { PIXEL } from "./picture.ts";

it("thinks and speaks, piece by piece", async () => {
  await using world = await codexWorld({
    scripts: () => ({ hello: [thinking("A greeting, ", "I think."), text("Hello, ", "world.")] }),
  });
  const session = await world.session({ options: { config: { model_reasoning_summary: "detailed" } } });
  const turn = await session.run("Say it [[hello]]");
  expect(turn.text).toBe("Hello, world.");
  const thoughts = ofType(turn.events, "reasoning.delta").map(({ delta }) => delta);
  expect(thoughts.join("")).toBe("A greeting, I think.");
  expect(ofType(turn.events, "text.delta").length).toBeGreaterThan(1);
  expect(turn.ended).toMatchObject({ outcome: "completed", usage: { input: 11, output: 7 } });
  expect(await session.event("session.attached")).toMatchObject({
    agentVersion: "0.166.0",
    model: "gpt-5.5",
  });
  expect(world.model.strays).toEqual([]);
});

it("runs commands and patches files, and the files are what it says", async () => {
  await using world = await codexWorld({
    scripts: () => ({
      work: [
        [text("First the files."), toolCall("exec_command", { cmd: "printf 'one\\ntwo\\n' > notes.txt" })],
        [
          freeformToolCall(
            "apply_patch",
            "*** Begin Patch\n*** Update File: notes.txt\n@@\n one\n-two\n+three\n*** Add File: new.txt\n+fresh\n*** End Patch",
          ),
        ],
        [toolCall("exec_command", { cmd: "cp notes.txt copy.txt && wc -l < copy.txt" })],
        [text("Done.")],
      ],
    }),
  });
  const session = await world.session({ permissionMode: "bypass" });
  const turn = await session.run("Do it [[work]]");
  expect(turn).toMatchObject({ ended: { outcome: "completed" }, text: "First the files.Done." });
  expect(readFileSync(join(world.project, "copy.txt"), "utf8")).toBe("one\nthree\n");
  expect(readFileSync(join(world.project, "new.txt"), "utf8")).toBe("fresh\n");
  expect(ofType(turn.events, "tool.start").map(({ name }) => name)).toEqual([
    "commandExecution",
    "fileChange",
    "commandExecution",
  ]);
  const edits = ofType(turn.events, "file.edited");
  expect(edits.find(({ kind }) => kind === "changed")).toMatchObject({
    path: join(world.project, "notes.txt"),
    diff: expect.stringContaining("-two\n+three\n"),
  });
  expect(edits.find(({ kind }) => kind === "created")?.path).toBe(join(world.project, "new.txt"));
  expect(ofType(turn.events, "tool.output").at(-1)).toMatchObject({ output: "2\n", exitCode: 0 });
  expect(ofType(turn.events, "step.ended")).toHaveLength(4);
  // Nothing was noted about the project behind the user's back.
  expect(readFileSync(codexConfigFile(world), "utf8")).not.toContain("trust_level");
});

it("runs commands at the same time, and one that fails does not stop the others", async () => {
  await using world = await codexWorld({
    scripts: () => ({
      parallel: [
        [
          toolCall("exec_command", { cmd: "until [ -e b ]; do sleep 0.05; done; echo first" }),
          toolCall("exec_command", { cmd: "cat missing.txt" }),
          toolCall("exec_command", { cmd: "touch b; echo third" }),
        ],
        [text("Two of three.")],
      ],
    }),
  });
  const session = await world.session({ permissionMode: "bypass" });
  const turn = await session.run("All of them [[parallel]]");
  expect(turn).toMatchObject({ ended: { outcome: "completed" }, text: "Two of three." });
  expect(ofType(turn.events, "tool.start")).toHaveLength(3);
  expect(ofType(turn.events, "tool.failed")).toMatchObject([{ exitCode: 1 }]);
  expect(
    ofType(turn.events, "tool.output")
      .map(({ output }) => output)
      .sort(),
  ).toEqual(["first\n", "third\n"]);
});

it("has all of a command's output, however little of it was streamed", async () => {
  await using world = await codexWorld({
    scripts: () => ({ count: [[toolCall("exec_command", { cmd: "seq 1 20000" })], [text("Counted.")]] }),
  });
  const session = await world.session({ permissionMode: "bypass" });
  const turn = await session.run("Count [[count]]");
  const output = String(ofType(turn.events, "tool.output").at(-1)?.output);
  expect(output.startsWith("1\n2\n")).toBe(true);
  expect(output.trim().split("\n")).toHaveLength(20_000);
});

it("shows the model a picture, and a file of the project", async () => {
  await using world = await codexWorld({ scripts: () => ({ look: [text("A pixel.")] }) });
  const file = world.write("notes.txt", "words");
  const session = await world.session();
  const parts = [
    { type: "text", text: "What is it? [[look]]" },
    { type: "file", mediaType: "image/png", url: `data:image/png;base64,${PIXEL}` },
    { type: "file", mediaType: "text/plain", url: pathToFileURL(file).href },
  ];
  const { message } = (await session.call("POST", "/messages", { parts })).body;
  expect((await session.turnOf(message)).text).toBe("A pixel.");
  const input = JSON.stringify(world.model.requests.at(-1)?.body.input);
  expect(input).toContain("data:image/png;base64,");
  expect(input).toContain(file);
});

it("keeps a plan, where its user has switched that on", async () => {
  const plan = (...statuses: string[]) =>
    toolCall("update_plan", {
      plan: statuses.map((status, place) => ({ step: `step ${place + 1}`, status })),
    });
  await using world = await codexWorld({
    scripts: () => ({
      plan: [[plan("in_progress", "pending")], [plan("completed", "completed")], [text("All done.")]],
    }),
  });
  const session = await world.session({ options: { config: { "tools.update_plan.enabled": true } } });
  const turn = await session.run("Plan [[plan]]");
  expect(turn.text).toBe("All done.");
  expect(
    ofType(turn.events, "plan.updated").map(({ entries }) => entries.map(({ status }) => status)),
  ).toEqual([
    ["active", "pending"],
    ["done", "done"],
  ]);
});

it("hands a task to a sub-agent, and hears its report", async () => {
  await using world = await codexWorld({
    scripts: (project) => CODEX.subagent!.scripts(project, [text("It is 42.")]),
  });
  world.write("one.txt", "42");
  const session = await world.session({ model: "unknown-model", permissionMode: "bypass" });
  const turn = await session.run("Find out [[delegate]]");
  expect(turn.ended.outcome).toBe("completed");
  const [spawn] = ofType(turn.events, "tool.start");
  expect(spawn).toMatchObject({ name: "spawnAgent", kind: "agent" });
  const command = await session.event("tool.start", ({ name }) => name === "commandExecution");
  expect(command).toMatchObject({ parent: spawn?.call });
  expect(await session.event("task.ended")).toMatchObject({
    outcome: "completed",
    summary: "The fact is 42.",
  });
});

it("has a process of its own where its environment differs, and secrets stay out of the log", async () => {
  await using world = await codexWorld({
    scripts: () => ({ show: [[toolCall("exec_command", { cmd: "echo $MY_SECRET" })], [text("Shown.")]] }),
  });
  const plain = await world.session({ permissionMode: "bypass" });
  const own = await world.session({ permissionMode: "bypass", env: { MY_SECRET: "kestrel-in-the-wind" } });
  await Promise.all([plain.run("Show [[show]]"), own.run("Show [[show]]")]);
  expect(await plain.pid()).not.toBe(await own.pid());
  expect(ofType(plain.events, "tool.output").at(-1)?.output).toBe("\n");
  expect(ofType(own.events, "tool.output").at(-1)?.output).toBe("[secret MY_SECRET]\n");
  expect((await own.call("GET", "/raw?limit=1000")).text).not.toContain("kestrel-in-the-wind");
});
