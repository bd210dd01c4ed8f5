import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  assistant,
  bash,
  Conversation,
  init,
  interrupted,
  lifecycle,
  mayUse,
  messageStart,
  result,
  stream,
  textDelta,
  textStart,
} from "./conversation.test-support.ts";
import { INITIAL_STATE } from "./conversation-state.ts";
import { outbound } from "./outbound.ts";

const typesOf = (drafts: readonly { type: string }[]) => drafts.map(({ type }) => type);

describe("what cannot be read", () => {
  it.each([
    ["chatter", "not-json"],
    ["[1]", "not-an-object"],
    ['{"type":"new_thing"}', "new_thing"],
    ['{"type":"system","subtype":"new_thing"}', "system/new_thing"],
    ['{"subtype":"init"}', "not-a-message"],
    ['{"type":"assistant"}', "assistant"],
    ['{"type":"stream_event","event":{"type":"message_start"}}', "stream_event"],
  ])("%s is told as unknown", (data, native) => {
    const [state, drafts] = outbound.translate(INITIAL_STATE, { direction: "in", data });
    expect(state).toBe(INITIAL_STATE);
    expect(drafts).toEqual([{ type: "agent.unknown", native, text: expect.any(String) }]);
  });

  it("never throws, whatever is wrong with a line", () => {
    const lines = [init, result, messageStart("m"), assistant("m", bash), mayUse({}), textDelta("x")];
    const junk = fc.oneof(fc.constant(null), fc.integer(), fc.string(), fc.constant([]), fc.constant({}));
    fc.assert(
      fc.property(fc.constantFrom(...lines), fc.nat(20), junk, (line, place, value) => {
        const keys = Object.keys(line);
        const broken = { ...line, [keys[place % keys.length]!]: value };
        const conversation = new Conversation();
        conversation.prompt("p");
        conversation.hear(init, messageStart("m"), textStart(), broken, result);
        expect(conversation.state.isWorking).toBe(false);
      }),
    );
  });

  it("names what of a line was not used", () => {
    const data = JSON.stringify({ ...result, ttft_ms: 5 });
    expect(outbound.translate(INITIAL_STATE, { direction: "in", data })[2]).toEqual(["result.ttft_ms"]);
    const all = JSON.stringify(result);
    expect(outbound.translate(INITIAL_STATE, { direction: "in", data: all })).toHaveLength(2);
  });
});

describe("a message that is streamed and then told whole", () => {
  it("is said once", () => {
    const conversation = new Conversation();
    conversation.hear(messageStart("m"), textStart(), textDelta("Hello"));
    expect(conversation.hear(assistant("m", { type: "text", text: "Hello" }))).toEqual([]);
  });

  it("gets what the deltas missed", () => {
    const conversation = new Conversation();
    conversation.hear(messageStart("m"), textStart(), textDelta("Hel"));
    expect(conversation.hear(assistant("m", { type: "text", text: "Hello" }))).toEqual([
      { type: "text.delta", part: "m:0", delta: "lo" },
    ]);
  });

  it("is not kept whole, and still gets what the deltas missed", () => {
    const conversation = new Conversation();
    const piece = "x".repeat(400_000);
    conversation.hear(messageStart("m"), textStart());
    for (let count = 0; count < 4; count += 1) conversation.hear(textDelta(piece));
    const [block] = conversation.state.stream!.blocks;
    expect(block).toMatchObject({ kind: "text", length: 4 * piece.length });
    expect((block as { text: string }).text.length).toBeLessThanOrEqual(1024 * 1024);
    expect(conversation.hear(assistant("m", { type: "text", text: `${piece.repeat(4)}end` }))).toEqual([
      { type: "text.delta", part: "m:0", delta: "end" },
    ]);
    expect(conversation.state.stream!.blocks[0]).toMatchObject({ text: "" });
  });

  it("is taken back where it says something else", () => {
    const conversation = new Conversation();
    conversation.hear(messageStart("m"), textStart(), textDelta("Help"));
    expect(typesOf(conversation.hear(assistant("m", { type: "text", text: "Hello" })))).toEqual([
      "content.discarded",
      "text.start",
      "text.delta",
    ]);
  });

  it("is taken back when the model is asked again without an end of the stream", () => {
    const conversation = new Conversation();
    conversation.hear(messageStart("m"), textStart(), textDelta("Half a sen"));
    expect(conversation.hear(messageStart("n"))).toContainEqual({
      type: "content.discarded",
      parts: ["m:0"],
      calls: [],
      reason: "retry",
    });
  });

  it("keeps its text when the next message follows a finished one", () => {
    const conversation = new Conversation();
    const end = stream({ type: "message_delta", delta: { stop_reason: "end_turn" }, usage: {} });
    conversation.hear(messageStart("m"), textStart(), textDelta("Whole."), end);
    expect(typesOf(conversation.hear(messageStart("n")))).toEqual(["step.started"]);
  });
});

describe("prompts that are sent while a turn runs", () => {
  function steered() {
    const conversation = new Conversation();
    const first = conversation.prompt("first");
    conversation.hear(lifecycle(first, "started"), init, messageStart("m"));
    const second = conversation.prompt("second", { steer: true });
    return { conversation, first, second };
  }

  it("hold the end of the turn back until they are answered", () => {
    const { conversation, second } = steered();
    expect(typesOf(conversation.hear(result))).not.toContain("turn.ended");
    conversation.hear(lifecycle(second, "started"), init);
    expect(conversation.hear(messageStart("n"))).toContainEqual({ type: "prompt.taken", message: "second" });
    expect(typesOf(conversation.hear(result))).toContain("turn.ended");
  });

  it("tell a failure of the turn before, which does not end ours", () => {
    const { conversation } = steered();
    const failed = { ...result, is_error: true, result: "API Error: 500 Internal" };
    expect(conversation.hear(failed)).toContainEqual({
      type: "notice",
      level: "error",
      code: "execution_failed",
      text: "The model's service answered: 500 Internal",
    });
  });

  it("are called back by a stop, and come back to us", () => {
    const { conversation, second } = steered();
    conversation.say({ type: "interrupt" });
    expect(conversation.sent.slice(-2)).toEqual([
      {
        type: "control_request",
        request_id: "r1",
        request: { subtype: "cancel_async_message", message_uuid: second },
      },
      { type: "control_request", request_id: "r2", request: { subtype: "interrupt" } },
    ]);
    const answer = { subtype: "success", request_id: "r1", response: { cancelled: true } };
    expect(conversation.hear({ type: "control_response", response: answer })).toEqual([
      { type: "prompt.returned", message: "second", reason: expect.any(String) },
    ]);
    expect(conversation.hear(interrupted)).toContainEqual({ type: "turn.ended", outcome: "interrupted" });
  });

  it("get another id when they are sent again, for Claude Code ignores one it has seen", () => {
    const { conversation, second } = steered();
    conversation.hear(lifecycle(second, "cancelled"), interrupted);
    expect(conversation.prompt("second")).not.toBe(second);
  });
});

it("a stop before the prompt was begun ends the turn without a result", () => {
  const conversation = new Conversation();
  const uuid = conversation.prompt("first");
  conversation.say({ type: "interrupt" });
  expect(conversation.sent.slice(1).map((line) => line.request)).toEqual([{ subtype: "interrupt" }]);
  expect(conversation.hear(lifecycle(uuid, "cancelled"))).toEqual([
    { type: "turn.ended", outcome: "interrupted" },
  ]);
});

it("the end of a turn the agent began by itself does not end that of a prompt which waits", () => {
  const conversation = new Conversation();
  const uuid = conversation.prompt("mine");
  const own = { ...result, origin: { kind: "task-notification" } };
  expect(typesOf(conversation.hear(init, messageStart("m"), own))).not.toContain("turn.ended");
  conversation.hear(lifecycle(uuid, "started"), init, messageStart("n"));
  expect(typesOf(conversation.hear({ ...result, user_message_uuids: [uuid] }))).toContain("turn.ended");
});

describe("asks", () => {
  it("name a call that was not heard of yet", () => {
    const conversation = new Conversation();
    const drafts = conversation.hear(mayUse({ description: "List" }));
    expect(drafts).toMatchObject([
      { type: "tool.start", call: "call", name: "Bash", title: "ls" },
      { type: "tool.input", call: "call", input: bash.input },
      { type: "ask.opened", ask: "ask", call: "call", title: "Bash: ls", description: "List" },
    ]);
    expect(conversation.hear(assistant("m", bash))).toEqual([{ type: "step.started" }]);
  });

  it("can be open together, and are withdrawn one by one", () => {
    const conversation = new Conversation();
    conversation.hear(mayUse({}, "one"), mayUse({ tool_use_id: "other" }, "two"));
    expect(conversation.hear({ type: "control_cancel_request", request_id: "one" })).toEqual([
      { type: "ask.closed", ask: "one", outcome: "cancelled", delivered: false },
    ]);
    expect([...conversation.state.asks.keys()]).toEqual(["two"]);
  });

  it("offer no rule where none may be made", () => {
    const rule = { type: "addRules", rules: [], behavior: "allow", destination: "session" };
    const mode = { type: "setMode", mode: "acceptEdits", destination: "session" };
    const [, , opened] = new Conversation().hear(
      mayUse({ permission_suggestions: [rule, mode], suppress_always_allow_rule: true }),
    );
    const options = opened?.type === "ask.opened" ? opened.options.map(({ id }) => id) : [];
    expect(options).toEqual(["allow", "suggestion-1", "deny", "deny-stop"]);
  });
});

describe("money and tokens", () => {
  const withCost = (total: number, input: number) => ({
    ...result,
    total_cost_usd: total,
    modelUsage: {
      opus: { inputTokens: input, outputTokens: 0, cacheReadInputTokens: 0, cacheCreationInputTokens: 0 },
    },
  });
  const costs = (drafts: readonly { type: string; cost?: number }[]) =>
    drafts.flatMap(({ type, cost }) => (type === "usage" && cost !== undefined ? [cost] : []));

  it("are told as what was added to the totals", () => {
    const conversation = new Conversation();
    expect(costs(conversation.hear(withCost(0.25, 10)))).toEqual([0.25]);
    expect(costs(conversation.hear(withCost(0.375, 30)))).toEqual([0.125]);
    expect(conversation.hear(withCost(0.375, 35))).toContainEqual({ type: "usage", input: 5, output: 0 });
  });

  it("do not count again what earlier processes of the conversation used", () => {
    const conversation = new Conversation();
    const spawn = { event: "spawn", pid: 7, command: "claude", args: ["--resume=abc"] } as const;
    conversation.state = outbound.translate(conversation.state, { direction: "process", data: spawn })[0];
    const used = (input: number, costUSD: number) => ({
      opus: {
        inputTokens: input,
        outputTokens: 1,
        cacheReadInputTokens: 0,
        cacheCreationInputTokens: 0,
        costUSD,
      },
    });
    const first = { total_cost_usd: 0.75, modelUsage: used(33, 0.75) };
    const since = { model_usage_since_last_result: used(11, 0.25) };
    expect(conversation.hear({ ...result, ...first, ...since })).toContainEqual({
      type: "usage",
      input: 11,
      output: 1,
      cost: 0.25,
    });
    const second = {
      total_cost_usd: 1,
      modelUsage: used(44, 1),
      model_usage_since_last_result: used(11, 0.25),
    };
    expect(costs(conversation.hear({ ...result, ...second }))).toEqual([0.25]);
  });

  it("begin again when the conversation was cleared or the process is another", () => {
    const conversation = new Conversation();
    conversation.hear(withCost(0.5, 10));
    expect(costs(conversation.hear(withCost(0.125, 1)))).toEqual([0.125]);
    const spawn = { direction: "process", data: { event: "spawn", pid: 7, command: "claude" } } as const;
    const [state] = outbound.translate(conversation.state, spawn);
    expect(state.spent.cost).toBe(0);
    expect(state.process).toBe(7);
  });
});

it("takes up the conversation its process was started with, unless it is a fork", () => {
  const start = (...args: string[]) =>
    outbound.translate(INITIAL_STATE, {
      direction: "process",
      data: { event: "spawn", command: "claude", args },
    })[0].resumed;
  expect(start("--resume=abc", "--model=opus")).toBe("abc");
  expect(start("--resume", "abc")).toBe("abc");
  expect(start("--resume", "abc", "--fork-session")).toBeUndefined();
});

it("a sign of life of a long command is progress of that command, not a call of its own", () => {
  const conversation = new Conversation();
  const heard = conversation.hear({
    type: "tool_progress",
    tool_use_id: "toolu_1-heartbeat-0",
    parent_tool_use_id: "toolu_1",
    tool_name: "Bash",
    elapsed_time_seconds: 30,
    heartbeat: true,
  });
  expect(heard).toEqual([{ type: "tool.progress", call: "toolu_1", progress: { seconds: 30 } }]);
});
