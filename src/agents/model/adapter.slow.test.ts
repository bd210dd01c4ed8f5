import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { checkLog } from "../../core/check-log.ts";
import type { EventOf } from "../../core/event.ts";
import {
  hang,
  httpError,
  stop,
  streamError,
  text,
  thinking,
  toolCall,
  unparsableToolCall,
  usage,
} from "../../testkit/scripted-model/index.ts";
import type { SessionRun } from "../../testkit/session-run.ts";
import { allow, ModelWorld, withModel } from "./with-model.test-support.ts";

const write = (path: string, content = "A\n") => toolCall("write_to_file", { path, content });
const run = (command: string) => toolCall("run_command", { command });
const replace = (path: string, from: string, to: string) =>
  toolCall("replace_in_file", { path, diff: `------- SEARCH\n${from}\n=======\n${to}\n+++++++ REPLACE\n` });

const SUM = (sign: string) => `export const sum = (a, b) => a ${sign} b;`;

const world = withModel({
  hello: [text("Hello.")],
  ten: [
    [toolCall("list_files", { path: "." })],
    [write("src/sum.js", `${SUM("-")}\n`)],
    [write("src/check.js", 'import { sum } from "./sum.js";\nconsole.log(sum(2, 3));\n')],
    [run("node src/check.js")],
    [toolCall("search_files", { path: ".", regex: "a - b" })],
    [toolCall("read_file", { path: "src/sum.js" })],
    [replace("src/sum.js", SUM("-"), SUM("+"))],
    [run("node src/check.js")],
    [toolCall("delete_file", { path: "src/check.js" })],
    [toolCall("update_plan", { items: [{ text: "Mend the sum", status: "done" }] })],
    [text("Mended.")],
  ],
  write: [[write("a.txt")], [text("Then.")]],
  show: [[write("shown.txt")], [text("Then.")]],
  twice: [[write("b.txt")], [write("c.txt")], [text("Then.")]],
  command: [[run("echo one")], [run("echo two")], [run("echo one")], [text("Then.")]],
  missing: [[toolCall("read_file", { path: "nowhere.txt" })], [text("I see.")]],
  wrong: [[toolCall("read_file", { file: 1 })], [text("I see.")]],
  broken: [[unparsableToolCall("read_file", '{"path": ')], [text("I see.")]],
  unknown: [[toolCall("fly", { to: "the moon" })], [text("I see.")]],
  parallel: [[write("p1.txt", "1\n"), write("p2.txt", "2\n"), run("echo both")], [text("All.")]],
  endless: [text("I begin. "), hang("never")],
  sleep: [[run("sleep 60")], [text("?")]],
  limited: [httpError(429, { message: "slow down", retryAfter: 30 }), text("?")],
  recovers: [httpError(429, { message: "slow down", retryAfter: 0, times: 1 }), text("Better.")],
  think: [thinking("I ", "think."), text("So."), usage({ input: 1000, output: 200, cacheRead: 400 })],
  plan: [
    [write("planned.txt")],
    [toolCall("propose_plan", { plan: "Write it." })],
    [write("planned.txt")],
    [text("Done.")],
  ],
  blank: [[text("\n\n"), toolCall("list_files", { path: "." })], [text("  ")]],
  long: [text("Half of it"), stop("max-tokens")],
  both: [
    [toolCall("ask_user", { question: "Which colour?" }), write("coloured.txt"), run("echo coloured")],
    [text("Thanks.")],
  ],
  ordered: [
    [
      run("cat ordered.txt || echo none"),
      write("ordered.txt", "1\n"),
      run("cat ordered.txt"),
      write("ordered.txt", "2\n"),
      toolCall("read_file", { path: "ordered.txt" }),
    ],
    [text("Then.")],
  ],
  odd: [[toolCall("list_files", { path: "." }, { id: "functions.list_files:0" })], [text("Seen.")]],
  title: [[toolCall("set_dialog_title", { title: "Birds" })], [text("Named.")]],
});

const heard = () => JSON.stringify(world().model.requests.at(-1)!.body);
const read = (path: string) => readFileSync(join(world().project, path), "utf8");
const exists = (path: string) => existsSync(join(world().project, path));

async function closed(session: SessionRun): Promise<SessionRun> {
  expect(checkLog(await session.close(), { complete: true })).toEqual([]);
  return session;
}

describe("a task of ten steps", () => {
  it("creates, runs, searches, edits and deletes files", async () => {
    const session = await world().play("Mend it [[ten]]", { permissionMode: "bypass" });
    expect(session.of("turn.ended")[0]).toMatchObject({ outcome: "completed" });
    expect(session.of("tool.failed")).toEqual([]);
    expect(session.of("tool.output")).toHaveLength(10);
    expect(session.of("step.started")).toHaveLength(11);
    expect(read("src/sum.js")).toBe("export const sum = (a, b) => a + b;\n");
    expect(exists("src/check.js")).toBe(false);
    const printed = session
      .of("tool.output")
      .flatMap(({ output }) => (output as { stdout?: string }).stdout ?? []);
    expect(printed).toEqual(["-1\n", "5\n"]);
    expect(session.of("file.edited").map(({ path, kind }) => [path, kind])).toEqual([
      [join(world().project, "src/sum.js"), "created"],
      [join(world().project, "src/check.js"), "created"],
      [join(world().project, "src/sum.js"), "changed"],
      [join(world().project, "src/check.js"), "deleted"],
    ]);
    expect(session.of("plan.updated")[0]?.entries).toMatchObject([{ text: "Mend the sum", status: "done" }]);
    expect(session.of("tool.start").map(({ kind }) => kind)).toContain("search");
    expect(session.of("tool.start").find(({ name }) => name === "update_plan")?.kind).toBe("plan");
    expect(session.of("usage")).toHaveLength(11);
  });

  it("names the session", async () => {
    const session = await world().play("Name it [[title]]");
    expect(session.of("session.updated").some(({ title }) => title === "Birds")).toBe(true);
  });
});

describe("permissions", () => {
  it.each(["default", "plan", "acceptEdits", "bypass"])("in the mode %s", async (permissionMode) => {
    const path = `${permissionMode}.txt`;
    const session = await world().run({ permissionMode, answer: allow });
    await session.turn("Write it [[write]]");
    await session.turn("Run it [[command]]");
    await closed(session);
    const asked = session.of("ask.opened").map(({ title }) => title);
    const commands = ["echo one", "echo two", "echo one"];
    const expected: Record<string, string[]> = {
      default: [expect.stringContaining("a.txt") as unknown as string, ...commands],
      plan: [],
      acceptEdits: commands,
      bypass: [],
    };
    expect(asked, path).toEqual(expected[permissionMode]);
    expect(session.of("tool.denied")).toHaveLength(permissionMode === "plan" ? 4 : 0);
  });

  it("shows what a write would change before it is allowed", async () => {
    const session = await world().play("Write it [[show]]");
    const [ask] = session.of("ask.opened");
    expect(ask).toMatchObject({
      kind: "permission",
      changes: [{ path: join(world().project, "shown.txt") }],
    });
    expect(ask?.options.map(({ effect }) => effect)).toEqual(["once", "always", "reject"]);
  });

  it("a no is told to the model with its reason, and nothing is written", async () => {
    const session = await world().play("Write it [[twice]]", {
      answer: () => ({ option: "reject", message: "use another name" }),
    });
    expect(session.of("tool.denied").map(({ reason }) => reason)).toEqual([
      "use another name",
      "use another name",
    ]);
    expect(exists("b.txt")).toBe(false);
    expect(heard()).toContain("use another name");
  });

  it("an always covers the tool, and of commands the very same one", async () => {
    const always = ({ options }: EventOf<"ask.opened">) => ({
      option: options.find(({ effect }) => effect === "always")!.id,
    });
    const session = await world().run({ answer: always });
    await session.turn("Write them [[twice]]");
    await session.turn("Run them [[command]]");
    await closed(session);
    const covers = session.of("ask.opened").map(({ options }) => options[1]?.covers);
    const here = JSON.stringify(world().project);
    expect(covers).toEqual([
      [`write_to_file in ${here}`],
      [`run_command in ${here}: echo one`],
      [`run_command in ${here}: echo two`],
    ]);
    expect(session.of("tool.output")).toHaveLength(5);
  });

  it("an always for a call that the person changed covers nothing", async () => {
    const changed = ({ options }: EventOf<"ask.opened">) => ({
      option: options.find(({ effect }) => effect === "always")!.id,
      input: { command: "echo changed" },
    });
    const session = await world().run({ answer: changed });
    await session.turn("Run them [[command]]");
    await closed(session);
    expect(session.of("ask.opened").map(({ title }) => title)).toEqual(["echo one", "echo two", "echo one"]);
    const printed = session.of("tool.output").map(({ output }) => (output as { stdout: string }).stdout);
    expect(printed).toEqual(["changed\n", "changed\n", "changed\n"]);
  });

  it("an always is forgotten with the prompt it was given in", async () => {
    const always = ({ options }: EventOf<"ask.opened">) => ({
      option: options.find(({ effect }) => effect === "always")!.id,
    });
    const session = await world().run({ answer: always });
    await session.turn("Hello [[hello]]");
    const message = await session.prompt("Write it [[write]]");
    await session.until(() => session.of("turn.ended").length === 2);
    await session.session.send({ type: "rewind", before: message });
    await session.turn("Write it again [[write]]");
    await closed(session);
    expect(session.of("ask.opened")).toHaveLength(2);
  });

  it("a plan that is agreed to is carried out", async () => {
    const approve = ({ kind }: EventOf<"ask.opened">) => ({
      option: kind === "plan" ? "approve-edits" : "reject",
    });
    const session = await world().play("Plan it [[plan]]", { permissionMode: "plan", answer: approve });
    expect(session.of("ask.opened")).toMatchObject([{ kind: "plan", description: "Write it." }]);
    expect(session.of("session.updated").at(-1)).toMatchObject({ permissionMode: "acceptEdits" });
    expect(read("planned.txt")).toBe("A\n");
  });
});

describe("calls", () => {
  it.each([
    ["missing", /does not exist/, { type: "read_file_error", code: "not_found" }],
    ["wrong", /arguments are wrong.*path/, { type: "read_file_error", code: "invalid_argument" }],
    ["broken", /are not valid JSON/, { type: "read_file_error", code: "invalid_argument" }],
    ["unknown", /There is no tool .*fly/, { type: "tool_error", code: "not_found" }],
  ])("that fail are told to the model, which goes on: %s", async (script, said, output) => {
    const session = await world().play(`Try [[${script}]]`);
    expect(session.of("turn.ended")[0]?.outcome).toBe("completed");
    expect(session.of("tool.failed")).toMatchObject([{ error: expect.stringMatching(said), output }]);
    expect(session.text).toBe("I see.");
    expect(heard()).toMatch(said);
  });

  it("made at once are asked for one by one and all answered", async () => {
    const session = await world().play("All of them [[parallel]]");
    expect(session.of("tool.output")).toHaveLength(3);
    expect([read("p1.txt"), read("p2.txt")]).toEqual(["1\n", "2\n"]);
    const [request] = world().model.requests.slice(-1);
    expect(JSON.stringify(request!.body.messages).match(/"type":"tool_result"/g)).toHaveLength(3);
  });
});

const updates = ({ drafts }: SessionRun) => drafts.filter(({ type }) => type === "session.updated").length;

it("a command of the same answer sees the edits before it, and none of those after it", async () => {
  const session = await world().run({ permissionMode: "bypass" });
  await session.turn("In this order [[ordered]]");
  await closed(session);
  const outputs = new Map(session.of("tool.output").map(({ call, output }) => [call, output]));
  const inOrder = session.of("tool.start").map(({ call }) => outputs.get(call));
  expect(inOrder[0]).toMatchObject({ stdout: "none\n" });
  expect(inOrder[2]).toMatchObject({ stdout: "1\n" });
  expect(inOrder[4]).toMatchObject({ content: "2\n" });
});

it("a question and a permission of one answer are asked one after the other", async () => {
  const session = await world().run();
  await session.prompt("Ask [[both]]");
  for (const asked of [1, 2, 3]) {
    await session.until(() => session.of("ask.opened").length === asked);
    // Whatever else it asks at the same time has come with the answer to this.
    const updated = updates(session);
    await session.session.send({ type: "configure", permissionMode: "default" });
    await session.until(() => updates(session) > updated);
    expect(session.of("ask.opened")).toHaveLength(asked);
    const ask = session.of("ask.opened").at(-1)!;
    const [question] = ask.questions ?? [];
    await session.reply(ask, question ? { answers: { [question.id]: ["Blue"] } } : { option: "allow" });
  }
  await session.untilEvent("turn.ended");
  await closed(session);
  expect(read("coloured.txt")).toBe("A\n");
});

describe("an interrupt leaves a well-formed log and a session that goes on", () => {
  async function interrupted(prompt: string, moment: (session: SessionRun) => Promise<void>, options = {}) {
    const session = await world().run({ permissionMode: "bypass", ...options });
    await session.prompt(prompt);
    await moment(session);
    await session.interrupt();
    await session.untilEvent("turn.ended");
    expect(session.of("turn.ended")[0]?.outcome).toBe("interrupted");
    await session.turn("Now [[hello]]");
    expect(session.of("turn.ended")[1]?.outcome).toBe("completed");
    return closed(session);
  }

  it("in a request to the model", async () => {
    await interrupted("Talk [[endless]]", (session) => session.untilEvent("text.delta"));
    expect(heard()).toContain("I begin. ");
  });

  it("in a tool", async () => {
    const session = await interrupted("Sleep [[sleep]]", (run) => run.untilEvent("tool.input"));
    expect(session.of("tool.abandoned")).toHaveLength(1);
    expect(heard()).toContain("interrupted by the user");
  });

  it("in an ask", async () => {
    const options = { permissionMode: "default", answer: () => undefined };
    const session = await interrupted("Write [[write]]", (run) => run.untilEvent("ask.opened"), options);
    expect(session.of("ask.closed")).toMatchObject([{ outcome: "cancelled" }]);
  });

  it("while it waits to try again", async () => {
    const session = await interrupted("Try [[limited]]", (run) => run.untilEvent("notice"));
    expect(session.of("notice")).toMatchObject([
      { code: "rate-limit", text: expect.stringMatching(/slow down.*Trying again in 30 s \(1 of 4\)/) },
    ]);
  });
});

describe("what the model says", () => {
  it("is tried again after a rate limit", async () => {
    const session = await world().play("Try [[recovers]]");
    expect(session.text).toBe("Better.");
    expect(session.of("notice")).toMatchObject([{ code: "rate-limit", data: { attempt: 1, waitMs: 0 } }]);
  });

  it.each(["anthropic/claude-sonnet-4-5", "openai/gpt-5.1", "ollama/qwen3"])(
    "is tried again after an error in the stream of %s",
    async (model) => {
      const overloaded = [streamError({ times: 1 }), text("Better.")];
      await using world = await ModelWorld.start({ overloaded });
      const session = await world.play("Try [[overloaded]]", { model });
      expect(session.of("turn.ended")[0]?.outcome).toBe("completed");
      expect(session.text).toBe("Better.");
      expect(session.of("notice")).toMatchObject([{ data: { attempt: 1 } }]);
    },
  );

  it("goes on with Anthropic after a provider whose ids of calls Anthropic refuses", async () => {
    const session = await world().run({ model: "ollama/qwen3" });
    await session.turn("Look [[odd]]");
    expect(heard()).toContain("functions.list_files:0");
    await session.session.send({ type: "configure", model: "anthropic/claude-haiku-4-5" });
    await session.turn("Now [[hello]]");
    await closed(session);
    expect(heard()).toMatch(/"type":"tool_use","id":"(call_[0-9a-f]+)".*"tool_use_id":"\1"/);
    expect(heard()).not.toContain("functions.list_files:0");
  });

  it("is not sent back where it is blank", async () => {
    const session = await world().run();
    expect((await session.turn("Look [[blank]]")).outcome).toBe("completed");
    await session.turn("Now [[hello]]");
    await closed(session);
    const { messages } = world().model.requests.at(-1)!.body as { messages: { content: object[] }[] };
    expect(messages.flatMap(({ content }) => content)).not.toContainEqual(
      expect.objectContaining({ text: expect.stringMatching(/^\s*$/) }),
    );
  });

  it("is told to be cut off where it reached the limit of output tokens", async () => {
    const session = await world().play("Talk [[long]]");
    expect(session.of("turn.ended")[0]?.outcome).toBe("limit");
    expect(session.of("notice")).toMatchObject([
      { code: "max-output", text: expect.stringMatching(/cut off.*another prompt/) },
    ]);
  });

  it("is thought through from the start of a round of calls or not at all, with Anthropic", async () => {
    const asked = world().model.requests.length;
    const session = await world().run({ permissionMode: "bypass" });
    await session.session.send({ type: "configure", settings: { effort: "high" } });
    await session.turn("Write [[write]]");
    await session.turn("Now [[hello]]");
    await closed(session);
    const thinking = world()
      .model.requests.slice(asked)
      .map(({ body }) => body.thinking !== undefined);
    expect(thinking).toEqual([true, false, true]);
  });

  it("comes with thoughts, tokens, cost and the provider's own chunks as records", async () => {
    const session = await world().play("Think [[think]]");
    expect(session.of("reasoning.delta").map(({ delta }) => delta)).toEqual(["I ", "think."]);
    expect(session.of("usage")).toMatchObject([
      {
        input: 1000,
        output: 200,
        cacheRead: 400,
        model: "anthropic/claude-sonnet-4-5",
        cost: (600 * 3 + 400 * 0.3 + 200 * 15) / 1e6,
        context: { used: 1200, size: 200_000 },
      },
    ]);
    const delta = session.of("text.delta")[0]!;
    const { raw } = session.outputs[delta.raw! - 1]!;
    expect(JSON.parse(raw.data as string)).toMatchObject({
      event: "part",
      original: { type: "content_block_delta", delta: { type: "text_delta", text: "So." } },
    });
    expect(
      session.outputs.flatMap(({ drafts }) => drafts).filter(({ type }) => type === "agent.unknown"),
    ).toEqual([]);
  });
});
