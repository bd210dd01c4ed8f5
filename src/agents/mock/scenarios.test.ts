import { describe, expect, it } from "vitest";
import { checkLog } from "../../core/check-log.ts";
import type { Draft } from "../../core/draft.ts";
import { SCENARIOS } from "./program/scenarios/index.ts";
import { allow, withMock } from "./with-mock.test-support.ts";

const mock = withMock();

describe("scenarios that run to their end", () => {
  it("text: says how many files it got", async () => {
    const run = await mock().start();
    const url = "data:image/png;base64,AAAA";
    const ended = await run.turn("scenario:text", {
      files: [{ type: "file", url, mediaType: "image/png", filename: "a.png" }],
    });
    expect(checkLog(await run.close(), { complete: true })).toEqual([]);
    expect(run.text).toBe(
      "Hello from the mock agent. This is a short, plain answer. You sent 1 file: a.png (image/png).",
    );
    expect(ended.outcome).toBe("completed");
    expect(ended.usage.output).toBeGreaterThan(0);
    expect(ended.cost).toBeGreaterThan(0);
  });

  it("long: two hundred deltas", async () => {
    const run = await mock().play("scenario:long");
    expect(run.of("text.delta").map((event) => event.delta)).toEqual(
      Array.from({ length: 200 }, (_, index) => `word-${index + 1} `),
    );
  });

  it("burst: as many deltas as asked for", async () => {
    const run = await mock().play("please scenario:burst:5000 now");
    expect(run.of("text.delta")).toHaveLength(5000);
    expect(run.text.startsWith("1 2 3 ")).toBe(true);
    expect(run.text.endsWith("4999 5000 ")).toBe(true);
  });

  it("rich: every kind of content in two steps", async () => {
    const run = await mock().play("scenario:rich");
    const types = new Set(run.events.map((event) => event.type));
    for (const type of [
      "reasoning.delta",
      "tool.input.delta",
      "tool.output.delta",
      "tool.progress",
    ] as const) {
      expect(types).toContain(type);
    }
    expect(run.of("tool.output").map((event) => event.preliminary ?? false)).toEqual([true, false]);
    expect(run.of("tool.output").at(-1)?.exitCode).toBe(0);
    expect(run.of("tool.failed")).toHaveLength(1);
    expect(run.of("source")).toHaveLength(1);
    expect(run.of("file")[0]).toMatchObject({ mediaType: "text/csv", filename: "figures.csv" });
    expect(run.of("step.started").map((event) => event.step)).toEqual([1, 2]);
    expect(run.of("usage")).toHaveLength(2);
  });

  it("subagent: content under the call", async () => {
    const run = await mock().play("scenario:subagent");
    const [parent, nested] = run.of("tool.start");
    expect(parent?.name).toBe("delegate");
    expect(nested?.parent).toBe(parent?.call);
    expect(run.of("reasoning.start")[0]?.parent).toBe(parent?.call);
    expect(run.of("text.start").map((event) => event.parent)).toEqual([parent?.call, undefined]);
    expect(run.text).toBe("The reviewer is content.");
  });

  it("retry: what was taken back is said again", async () => {
    const run = await mock().play("scenario:retry");
    const [first, second] = run.of("text.start");
    expect(run.of("content.discarded")[0]?.parts).toEqual([first?.part]);
    expect(run.of("notice")[0]?.code).toBe("retry");
    expect(run.of("text.delta").filter((event) => event.part === second?.part).length).toBeGreaterThan(0);
  });

  it("garbage: every line is unknown and the turn completes", async () => {
    const run = await mock().play("scenario:garbage");
    expect(run.of("agent.unknown").map((event) => event.native)).toEqual([
      "not-json",
      "not-json",
      "warp_drive",
      "block_delta",
      "not-a-message",
      "not-an-object",
      "not-an-object",
      "not-utf-8",
    ]);
    expect(run.of("turn.ended")[0]?.outcome).toBe("completed");
    expect(run.outputs.some(({ raw }) => raw.data === "data:application/octet-stream;base64,//4AgHs=")).toBe(
      true,
    );
  });

  it("huge: a line of 20 MB passes whole", async () => {
    const run = await mock().play("scenario:huge");
    expect(String(run.of("tool.output")[0]?.output)).toHaveLength(20 * 1024 * 1024);
  });

  it("huge beyond the cap: the line is unknown, the turn goes on", async () => {
    const run = await mock().play("scenario:huge:65");
    expect(run.of("agent.unknown")[0]?.native).toBe("overlong-line");
    expect(run.of("tool.abandoned")).toHaveLength(1);
    expect(run.text).toBe("That was a large file.");
  });

  it.each([
    ["error", "failed", "model_overloaded"],
    ["limit", "limit", "output_limit"],
    ["refuse", "refused", undefined],
    ["nonsense", "failed", "unknown_scenario"],
  ])("%s: ends as %s", async (name, outcome, code) => {
    const [ended] = (await mock().play(`scenario:${name}`)).of("turn.ended");
    expect(ended?.outcome).toBe(outcome);
    expect(ended?.error?.code).toBe(code);
    expect(ended?.usage.input).toBeGreaterThan(0);
  });

  it("duplicate: ids that are used twice become two calls and two parts", async () => {
    const run = await mock().play("scenario:duplicate");
    expect(run.of("tool.start").map((event) => event.native)).toEqual(["call-1", "call-1"]);
    expect(run.of("tool.output").map((event) => event.output)).toEqual([
      { content: "first" },
      { content: "second" },
    ]);
    expect(run.of("text.start")).toHaveLength(2);
  });

  it("echo and echo-split: the prompt as it was given", async () => {
    const prompt = 'scenario:echo "quoted" \\ \u2028 🜁\nsecond line ';
    expect((await mock().play(prompt)).text).toBe(prompt);
    const split = prompt.replace("echo", "echo-split");
    const run = await mock().play(split);
    expect(run.text).toBe(split);
    expect(run.of("text.delta")).toHaveLength([...split].length);
  });

  it("env: the value of a variable of the session, and none of ours", async () => {
    const environment = { GREETING: "good morning" };
    expect((await mock().play("scenario:env:GREETING", { environment })).text).toBe("good morning");
    expect((await mock().play("scenario:env:npm_config_user_agent")).text).toBe(
      "npm_config_user_agent is not set",
    );
  });

  it("stderr: many lines are counted, not kept", async () => {
    const run = await mock().play("scenario:stderr");
    const lines = run.outputs.filter(({ raw }) => raw.direction === "process" && raw.data.event === "stderr");
    expect(lines.length).toBeLessThan(500);
    expect(run.text).toBe("That was chatty.");
  });

  it("compact: also by its command", async () => {
    const run = await mock().play("/compact");
    expect(run.of("compaction.ended")[0]?.tokensAfter).toBe(1200);
  });

  it("help: names every scenario", async () => {
    const run = await mock().play("/help");
    for (const { name } of SCENARIOS) expect(run.text).toContain(`\`scenario:${name}\``);
  });
});

describe("scenarios that outlive their turn", () => {
  it("background: a task, an amended call, then a turn of its own", async () => {
    const run = await mock().start();
    await run.turn("scenario:background");
    expect(run.of("tool.output")[0]?.running).toBe(true);
    expect(run.of("task.ended")).toHaveLength(0);
    await run.until(() => run.of("turn.ended").length === 2);
    expect(checkLog(await run.close(), { complete: true })).toEqual([]);
    const types = run.events.map((event) => event.type);
    const order = [
      "task.started",
      "turn.ended",
      "task.updated",
      "tool.amended",
      "task.ended",
      "message.system",
    ];
    expect(order.map((type) => types.indexOf(type as (typeof types)[number]))).toEqual(
      order
        .map((type) => types.indexOf(type as (typeof types)[number]))
        .toSorted((one, other) => one - other),
    );
    expect(run.of("turn.started").map((event) => event.origin)).toEqual(["user", "agent"]);
    expect(run.of("message.system")[0]).toMatchObject({
      cause: "task",
      task: run.of("task.started")[0]?.task,
    });
  });

  it("background: a prompt that comes at the same moment has its own turn, answered whole", async () => {
    const run = await mock().start({ adapterOptions: { pace: 1 } });
    await run.turn("scenario:background");
    await run.untilEvent("task.ended");
    // The mock is beginning its own turn now, and has not heard of this prompt.
    await run.turn("scenario:text");
    expect(run.text).toContain("The build has succeeded.");
    expect(run.text).toContain("This is a short, plain answer.");
    expect(checkLog(await run.close(), { complete: true })).toEqual([]);
  });

  it("late: text after the end is a turn of the agent", async () => {
    const run = await mock().start();
    await run.turn("scenario:late");
    await run.until(() => run.of("turn.ended").length === 2);
    expect(checkLog(await run.close(), { complete: true })).toEqual([]);
    expect(run.of("turn.started").map((event) => event.origin)).toEqual(["user", "agent"]);
    expect(run.text).toBe("I am done.One more thing: I was not done.");
  });
});

describe("the same each time", () => {
  // What `files` and `todo` do depends on the files that are there, and the two sessions share them.
  const played = SCENARIOS.map(({ name }) => name).filter(
    (name) => !/crash|hang|huge|stderr|env|files|todo/.test(name),
  );

  /** All of them in one session, each with what it made. */
  async function playAll(): Promise<Map<string, Draft[]>> {
    const run = await mock().start({ answer: allow });
    await run.untilEvent("session.attached");
    const made = new Map<string, Draft[]>();
    for (const name of played) {
      const before = run.drafts.length;
      const turns = run.of("turn.ended").length + (/background|late/.test(name) ? 2 : 1);
      await run.prompt(`scenario:${name}`);
      await run.until(() => run.of("turn.ended").length === turns);
      made.set(name, run.drafts.slice(before));
    }
    expect(checkLog(await run.close(), { complete: true })).toEqual([]);
    return made;
  }

  it("makes equal drafts of every scenario in two sessions", async () => {
    const [first, second] = await Promise.all([playAll(), playAll()]);
    for (const name of played) expect(first.get(name), name).toEqual(second.get(name));
  });
});
