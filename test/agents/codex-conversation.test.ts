/** Codex says things, uses its tools and takes what it is given. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { freeformToolCall, text, thinking, toolCall } from "../../src/testkit/scripted-model/index.ts";
import { ofType } from "./agent-session.ts";
import { codexConfigFile, codexWorld } from "./codex-world.ts";

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
