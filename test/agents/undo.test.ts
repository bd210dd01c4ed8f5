/** What real agents change, by their tools and in a shell, is told, listed, undone and done again. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { text } from "../../src/testkit/scripted-model/index.ts";
import { ofType } from "./agent-session.ts";
import { AGENTS } from "./agents.ts";

const COMMAND = "echo changed >> kept.txt; rm old.txt; echo new > by-shell.txt";
const NAMES = ["a.txt", "by-shell.txt", "kept.txt", "old.txt"];

describe.each(AGENTS)("$agent.name", ({ world: start, sessions, tools }) => {
  it("can be undone, files and conversation", async () => {
    await using world = await start({
      scripts: (project) => ({
        work: [[tools.write(project).call], [tools.run(COMMAND)], [text("Done.")]],
        hello: [text("Hello.")],
      }),
    });
    const read = () =>
      NAMES.map((name) => join(world.project, name)).map((path) =>
        existsSync(path) ? readFileSync(path, "utf8") : undefined,
      );
    world.write("kept.txt", "kept\n");
    world.write("old.txt", "old\n");
    const session = await world.session(sessions.trusted);
    await session.run("Hello [[hello]]");
    const turn = await session.run("Work [[work]]");
    const after = ["A\n", "new\n", "kept\nchanged\n", undefined];
    expect(read()).toEqual(after);

    // Each file once, whoever told it.
    const told = ofType(turn.events, "file.edited").map(({ path }) => path.slice(world.project.length + 1));
    expect(told.toSorted()).toEqual(NAMES);
    const { changes } = (await session.call("GET", `/changes?turn=${turn.ended.turn}`)).body;
    expect(changes.map(({ path, status }: { path: string; status: string }) => [path, status])).toEqual([
      ["a.txt", "added"],
      ["by-shell.txt", "added"],
      ["kept.txt", "modified"],
      ["old.txt", "deleted"],
    ]);

    const { checkpoints } = (await session.call("GET", "/checkpoints")).body;
    const before = checkpoints.find(
      (one: { kind: string; turn?: string }) => one.kind === "before" && one.turn === turn.ended.turn,
    );
    const restored = await session.call("POST", "/restore", { checkpoint: before.id });
    expect(restored).toMatchObject({ status: 200, body: { restored: expect.arrayContaining(NAMES) } });
    expect(read()).toEqual([undefined, undefined, "kept\n", "old\n"]);
    expect((await session.run("And now? [[hello]]")).text).toBe("Hello.");
    const asked = JSON.stringify(world.model.requests.map(({ body }) => body));
    expect(asked).toContain("taken back to an earlier version");
    expect(asked).toContain("- by-shell.txt");
    await session.call("POST", "/restore", { checkpoint: restored.body.checkpoint });
    expect(read()).toEqual(after);

    const both = await session.call("POST", "/restore", { checkpoint: before.id, conversation: true });
    expect(both).toMatchObject({ status: 200, body: { rewound: before.message } });
    expect(read()).toEqual([undefined, undefined, "kept\n", "old\n"]);
    expect((await session.run("Again [[hello]]")).text).toBe("Hello.");
  });
});
