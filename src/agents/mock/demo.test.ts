import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { deny, withMock } from "./with-mock.test-support.ts";

const mock = withMock();

describe("a prompt without a scenario", () => {
  const note = () => join(mock().directory, "interlingua-demo.md");

  it("reads, edits a file behind a permission and sums up", async () => {
    const run = await mock().play("Tidy up the kitchen, please");
    expect(run.of("reasoning.start").length).toBeGreaterThan(0);
    expect(run.of("tool.start").map((event) => event.name)).toEqual(["read_file", "write_file"]);
    expect(run.of("ask.opened")[0]?.changes?.[0]?.diff).toContain("+- Tidy up the kitchen, please");
    expect(run.of("file.edited")[0]).toMatchObject({
      path: expect.stringMatching(/^\/.*interlingua-demo.md$/),
      kind: "created",
    });
    expect(readFileSync(note(), "utf8")).toContain("Tidy up the kitchen, please");
    expect(
      run
        .of("plan.updated")
        .at(-1)
        ?.entries.map(({ status }) => status),
    ).toEqual(["done", "done", "done"]);
    expect(run.text).toContain("*Tidy up the kitchen, please*");

    const again = await mock().play("And the garden");
    expect(again.of("file.edited")[0]).toMatchObject({ kind: "changed" });
    expect(again.of("file.edited")[0]?.diff).toMatch(/^ - Tidy up .*\n\+- And the garden/m);
  });

  it("leaves the file alone when it is declined", async () => {
    const before = existsSync(note()) ? readFileSync(note(), "utf8") : undefined;
    const run = await mock().play("Do not dare", { answer: deny });
    expect(run.of("file.edited")).toHaveLength(0);
    expect(run.text).toContain("you declined");
    expect(existsSync(note()) ? readFileSync(note(), "utf8") : undefined).toBe(before);
  });

  it("goes on when the file cannot be written", async () => {
    const cwd = join(mock().directory, "occupied");
    mkdirSync(join(cwd, "interlingua-demo.md"), { recursive: true });
    const run = await mock().play("Write it down", { cwd, permissionMode: "bypass" });
    expect(run.of("tool.failed")[0]?.error).toContain("could not be written");
    expect(run.of("turn.ended")[0]?.outcome).toBe("completed");
  });

  it.each(["acceptEdits", "bypass"])("does not ask in %s", async (permissionMode) => {
    const run = await mock().play("Just do it", { permissionMode });
    expect(run.of("ask.opened")).toHaveLength(0);
    expect(run.of("file.edited")).toHaveLength(1);
  });

  it("asks for commands in acceptEdits, not in bypass", async () => {
    expect(
      (await mock().play("scenario:approve", { permissionMode: "acceptEdits" })).of("ask.opened"),
    ).toHaveLength(1);
    expect(
      (await mock().play("scenario:approve", { permissionMode: "bypass" })).of("ask.opened"),
    ).toHaveLength(0);
  });

  it.each([{ mode: "plan" }, { permissionMode: "plan" }])("proposes a plan in %o", async (options) => {
    const rejected = await mock().play("Build a house", { ...options, answer: deny });
    expect(rejected.of("ask.opened").map(({ kind }) => kind)).toEqual(["plan"]);
    expect(rejected.of("file.edited")).toHaveLength(0);
    const approved = await mock().play("Build a house", options);
    expect(approved.of("file.edited")).toHaveLength(1);
    expect(approved.machine.state).toMatchObject({ mode: "build", permissionMode: "default" });
  });
});
