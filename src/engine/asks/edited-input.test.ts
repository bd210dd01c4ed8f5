/** An input that a person changes before it is allowed: what reaches the agent, what the log says, what is refused. */
import { expect, it } from "vitest";
import { checkLog } from "../../core/check-log.ts";
import type { Draft } from "../../core/draft.ts";
import { foldMessages } from "../../core/fold-messages.ts";
import { principal } from "../../core/principal.ts";
import { toMessage } from "../../core/to-message.ts";
import { TESTER } from "../../testkit/tester.ts";
import { until } from "../../testkit/until.ts";
import { open, permission, text } from "../engine.test-support.ts";

const ANN = principal("ann", "test");
const [start, asked] = permission as [Draft, Extract<Draft, { type: "ask.opened" }>];

async function waiting({ editable, input }: { editable?: true; input: unknown }, env = {}) {
  const opened = await open();
  await opened.engine.run("createSession", { id: "s", agent: "scripted", cwd: "/", env }, TESTER);
  await opened.engine.run("prompt", { session: "s", parts: text("go"), whenBusy: "queue" }, TESTER);
  await until(() => opened.adapter.last?.commands.length === 1);
  opened.adapter.last.say(start, { type: "tool.input", call: "c", input }, { ...asked, editable });
  await opened.has("ask.opened");
  const [ask] = (await opened.engine.run("listAsks", { session: "s" }, TESTER)).asks;
  const replies = () => opened.adapter.last.commands.filter((command) => command.type === "reply");
  return { ...opened, ask: ask!, replies };
}

it("what a person made of it reaches the agent, and the log, its message and the ask say so", async () => {
  const { engine, adapter, ask, events, has, replies } = await waiting({
    editable: true,
    input: { command: "rm -rf /", description: "Clean" },
  });
  expect(ask.editable).toBe(true);
  const input = { command: "ls", description: "Clean" };
  const answered = await engine.run("replyToAsk", { session: "s", ask: ask.ask, reply: "once", input }, ANN);
  expect(answered).toMatchObject({ answer: { input, by: "ann" } });
  await has("ask.closed");
  expect(replies()).toMatchObject([{ ask: "q", option: "allow", input }]);
  adapter.last.say(
    { type: "tool.output", call: "c", output: "a b c" },
    { type: "turn.ended", outcome: "completed" },
  );
  await has("turn.ended");
  const log = await events();
  const shown = log.filter(({ type }) => type === "tool.input");
  expect(shown).toMatchObject([{ input: { command: "rm -rf /" } }, { input, by: "ann" }]);
  expect(shown[0]).not.toHaveProperty("by");
  const place = { session: "s", agent: "scripted", firstSeq: 1, lastSeq: 1 };
  const [, message] = foldMessages(log).map((record) => toMessage(record, place));
  expect(message?.content).toMatchObject([
    {
      type: "tool_call",
      input,
      edited: { by: "ann", proposed: { command: "rm -rf /", description: "Clean" } },
    },
    { type: "ask", editable: true, answer: { input, by: "ann" } },
    { type: "tool_result", output: "a b c" },
  ]);
  expect(checkLog(log)).toEqual([]);
  // Said again it is the same answer, and with another input it is another one.
  await engine.run("replyToAsk", { session: "s", ask: ask.ask, reply: "once", input }, ANN);
  await expect(
    engine.run("replyToAsk", { session: "s", ask: ask.ask, reply: "once" }, ANN),
  ).rejects.toMatchObject({
    code: "ask_answered",
  });
});

it("an input that an ask does not take is refused by its name, with what to do instead", async () => {
  const { engine, ask, events, replies } = await waiting({ input: { command: "ls" } });
  expect(ask).not.toHaveProperty("editable");
  const before = (await events()).length;
  await expect(
    engine.run("replyToAsk", { session: "s", ask: ask.ask, reply: "once", input: { command: "pwd" } }, ANN),
  ).rejects.toMatchObject({
    code: "option_not_offered",
    message: expect.stringMatching(/`input` cannot be changed .*Answer without `input`, or reject it/),
    extras: { errors: [{ path: "input", message: expect.any(String) }] },
  });
  expect(await events()).toHaveLength(before);
  expect(replies()).toEqual([]);
});

it("a rejection with an input is refused: it would run nothing", async () => {
  const { engine, ask } = await waiting({ editable: true, input: { command: "ls" } });
  for (const no of [{ reply: "reject" as const }, { option: "deny" }])
    await expect(
      engine.run("replyToAsk", { session: "s", ask: ask.ask, ...no, input: { command: "pwd" } }, ANN),
    ).rejects.toMatchObject({
      code: "option_not_offered",
      extras: { errors: [{ path: "input" }] },
    });
});

it.each([{ editable: true as const }, {}])(
  "the input that was shown is no change, whoever sends it back: %j",
  async (offer) => {
    const { engine, ask, events, has, replies } = await waiting({ ...offer, input: { a: 1, b: [2] } });
    await engine.run(
      "replyToAsk",
      { session: "s", ask: ask.ask, reply: "once", input: { b: [2], a: 1 } },
      ANN,
    );
    await has("ask.closed");
    await engine.run(
      "replyToAsk",
      { session: "s", ask: ask.ask, reply: "once", input: { a: 1, b: [2] } },
      ANN,
    );
    await engine.run("replyToAsk", { session: "s", ask: ask.ask, reply: "once" }, ANN);
    expect(replies()[0]).not.toMatchObject({ input: expect.anything() });
    const log = await events();
    expect(log.filter(({ type }) => type === "tool.input")).toHaveLength(1);
    expect(log.find(({ type }) => type === "ask.answered")).not.toHaveProperty("input");
  },
);

it("what is hidden in the log reaches the agent as it was, and stays hidden", async () => {
  const { engine, adapter, ask, store, has, replies } = await waiting(
    { editable: true, input: { command: "curl -H 'Token: top-secret-value' example.test" } },
    { KEY: "top-secret-value" },
  );
  adapter.last.onCommand = (command) =>
    adapter.last.output({ raw: { direction: "out", data: JSON.stringify(command) }, drafts: [] });
  const input = { command: "curl -H 'Token: [secret KEY]' -I example.test" };
  await engine.run("replyToAsk", { session: "s", ask: ask.ask, reply: "once", input }, ANN);
  await has("ask.closed");
  expect(replies()).toMatchObject([{ input: { command: expect.stringContaining("top-secret-value' -I") } }]);
  const stored = JSON.stringify([
    await store.readEvents("s", 0, 1000),
    await store.readRaws("s", 0, 1000),
    await engine.run("getSession", { session: "s" }, TESTER),
  ]);
  expect(stored).not.toContain("top-secret-value");
  expect(stored).toContain("-I example.test");
});

it("an input that the log has only in part cannot be changed", async () => {
  const { ask, events } = await waiting({ editable: true, input: { content: "x".repeat(2_000_000) } });
  expect(ask).not.toHaveProperty("editable");
  expect((await events()).find(({ type }) => type === "tool.input")).toMatchObject({
    truncatedFrom: expect.any(Number),
  });
});
