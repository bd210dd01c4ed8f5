import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SCENARIOS } from "../agents/mock/program/scenarios/index.ts";
import { withMock } from "../agents/mock/with-mock.test-support.ts";
import { checkLog } from "../core/check-log.ts";
import { eventSchema, type SessionEvent } from "../core/event.ts";
import { checkUnifiedMessage } from "./check-unified-message.ts";
import { createUnifiedTranslator } from "./create-unified-translator.ts";
import { createMachine, fixtureLogs, randomLog } from "./logs.test-support.ts";
import { EVENT_MESSAGES } from "./outbound/event-messages.ts";
import { MESSAGE_ROLES, type UnifiedMessage } from "./unified-message.ts";

const mock = withMock();

function translate(events: readonly SessionEvent[]): UnifiedMessage[] {
  const translator = createUnifiedTranslator();
  return events.flatMap((event) => translator.add(event));
}

/** `status_change queued_message_sent` */
function nameOf({ type, metadata }: UnifiedMessage): string {
  const kind = metadata.kind ?? metadata.subtype;
  const isNamed = ["permission_request", "result"].includes(type) || kind === undefined;
  return isNamed ? type : `${type} ${kind}`;
}

/** Every event has its messages, which are valid and have the guide's roles; and no two share an id. */
function expectSound(events: readonly SessionEvent[]): void {
  const translator = createUnifiedTranslator();
  const ids = new Set<string>();
  let count = 0;
  for (const event of events) {
    const messages = translator.add(event);
    const allowed = EVENT_MESSAGES[event.type].map((name) => name.replace("?", ""));
    const always = EVENT_MESSAGES[event.type].filter((name) => !name.endsWith("?"));
    expect(messages.length).toBeGreaterThan(0);
    expect(messages.map(nameOf)).toEqual(expect.arrayContaining(always));
    for (const message of messages) {
      expect(allowed).toContain(nameOf(message));
      expect(checkUnifiedMessage(message)).toBeUndefined();
      expect(checkUnifiedMessage(JSON.parse(JSON.stringify(message)))).toBeUndefined();
      expect(message.role).toBe(message.type === "unknown" ? "assistant" : MESSAGE_ROLES[message.type]);
      expect(message.metadata.session_id).toBe(event.session);
      expect(message.timestamp).toBe(event.at);
      ids.add(message.id);
      count += 1;
    }
  }
  expect(ids.size).toBe(count);
}

/** Whoever comes back gets the same messages, if it begins with the open turn. */
function expectResumable(events: readonly SessionEvent[]): void {
  const whole = createUnifiedTranslator();
  const all = events.map((event) => whole.add(event));
  let from = 0;
  const starts = new Set<number>();
  for (const [place, event] of events.entries()) {
    if (event.type === "turn.started") from = place;
    if (event.type === "turn.ended" || place % 97 === 0) starts.add(from);
  }
  for (const start of starts) {
    const translator = createUnifiedTranslator();
    for (let place = start; place < events.length && place < start + 500; place += 1)
      expect(translator.add(events[place]!)).toEqual(all[place]!);
  }
}

test("the table has every event type", () => {
  const types = eventSchema.options.map(({ shape }) => shape.type.value);
  expect(Object.keys(EVENT_MESSAGES).sort()).toEqual([...types].sort());
});

describe("every scenario of the mock", () => {
  /** Those that need somebody to stop them. */
  const ENDLESS = new Set(["hang", "hang-deaf"]);
  test.each(Object.keys(SCENARIOS))("%s", async (name) => {
    const run = await mock().start({
      answer: ({ kind }) =>
        kind === "question"
          ? { answers: { q1: ["Green"] } }
          : { option: kind === "plan" ? "approve" : "allow" },
    });
    await run.prompt(`scenario:${name}`);
    if (ENDLESS.has(name)) {
      await run.untilEvent("text.delta");
      await run.interrupt();
      if (name === "hang-deaf") await run.close();
    }
    await run
      .until(() => run.of("turn.ended").length > 0 || run.of("session.detached").length > 0)
      .catch(() => {});
    const events = await run.close();
    expect(checkLog(events, { complete: true })).toEqual([]);
    expect(translate(events).filter(({ type }) => type === "result")).toHaveLength(
      run.of("turn.ended").length,
    );
    expect(run.of("turn.ended").length).toBeGreaterThan(0);
    expectSound(events);
    expectResumable(events);
  });
});

describe("events of real agents", () => {
  test.each(fixtureLogs)("%s", (_, events) => {
    expectSound(events);
    expectResumable(events);
  });
});

test("any log: its messages are sound, and the same from the middle", () => {
  fc.assert(
    fc.property(randomLog, (events) => {
      expectSound(events);
      expectResumable(events);
    }),
  );
});

describe("an answer", () => {
  const machine = createMachine();
  machine.apply({ type: "session.attached", agentSessionId: "native", model: "small" });
  machine.acceptPrompt("u1", [{ type: "text", text: "Look around" }], "queue");
  machine.dispatch("u1");
  machine.apply({ type: "reasoning.delta", delta: "Hm." });
  machine.apply({ type: "text.delta", part: "a", delta: "I lo" });
  machine.apply({ type: "text.delta", part: "a", delta: "ok." });
  machine.apply({ type: "text.end", part: "a" });
  machine.apply({ type: "tool.start", call: "x", name: "agent" });
  machine.apply({ type: "tool.input", call: "x", input: { task: "read" } });
  machine.apply({ type: "text.delta", part: "b", delta: "Inside.", parent: "x" });
  machine.apply({ type: "tool.output", call: "x", output: { files: 2 } });
  machine.apply({ type: "usage", input: 10, output: 3, cacheRead: 4, cost: 0.25 });
  machine.apply({ type: "turn.ended", outcome: "completed" });
  const messages = translate(machine.take());
  const of = (type: UnifiedMessage["type"]) => messages.filter((message) => message.type === type);

  test("is one assistant message with all its blocks in order, after what was streamed", () => {
    const [inner, whole, ...others] = of("assistant");
    expect(others).toEqual([]);
    const call = of("stream_event").find(({ metadata }) => metadata.tool_name === "agent")!;
    expect(inner).toMatchObject({
      content: [{ type: "text", text: "Inside." }],
      parentId: call.id,
      metadata: { parent_tool_use_id: call.metadata.tool_use_id, message_id: "m1" },
    });
    expect(whole).toMatchObject({
      parentId: of("user_message")[0]!.id,
      metadata: { message_id: "m1", model: "small", inResponseTo: "u1" },
    });
    expect(whole!.content).toEqual([
      { type: "thinking", thinking: "Hm." },
      { type: "text", text: "I look." },
      { type: "tool_use", id: call.metadata.tool_use_id, name: "agent", input: { task: "read" } },
      { type: "tool_result", tool_use_id: call.metadata.tool_use_id, content: '{"files":2}' },
    ]);
  });

  test("ends with a result and the status idle", () => {
    expect(messages.slice(-2)).toMatchObject([
      {
        type: "result",
        role: "system",
        metadata: {
          subtype: "success",
          outcome: "completed",
          is_error: false,
          usage: { input_tokens: 10, output_tokens: 3, cache_read_input_tokens: 4 },
          cost: 0.25,
          model: "small",
          inResponseTo: "u1",
        },
      },
      { type: "status_change", metadata: { status: "idle" } },
    ]);
    expect(of("result")[0]!.metadata).not.toHaveProperty("error_code");
  });

  test("the streamed texts are those of the whole", () => {
    const text = of("stream_event")
      .filter(({ metadata }) => metadata.parent_tool_use_id === undefined)
      .flatMap(({ content }) => content.map((block) => (block.type === "text" ? block.text : "")));
    expect(text.join("")).toBe("I look.");
  });
});

test("an answer beyond the limit is cut, and says so", () => {
  const machine = createMachine();
  machine.acceptPrompt("u1", [{ type: "text", text: "Go" }], "queue");
  machine.dispatch("u1");
  for (let call = 0; call < 40; call += 1) {
    machine.apply({ type: "tool.start", call: `c${call}`, name: "cat" });
    machine.apply({ type: "tool.output", call: `c${call}`, output: "x".repeat(200_000) });
  }
  machine.apply({ type: "text.delta", delta: "Done." });
  machine.apply({ type: "turn.ended", outcome: "completed" });
  const whole = translate(machine.take()).find(({ type }) => type === "assistant")!;
  expect(whole.metadata.truncated).toBe(true);
  expect(JSON.stringify(whole).length).toBeLessThan(4.5 * 1024 * 1024);
  expect(whole.content.at(-1)).toEqual({ type: "text", text: "Done." });
});

test.each([
  ["failed", "agent_not_signed_in", "provider_auth"],
  ["failed", "authentication_failed", "provider_auth"],
  ["failed", "rate_limited", "rate_limit"],
  ["failed", "overloaded", "api_error"],
  ["failed", "agent_exited", "execution_error"],
  ["failed", undefined, "unknown"],
  ["limit", "context_full", "context_overflow"],
  ["limit", "error_max_turns", "max_turns"],
  ["limit", "error_max_budget_usd", "max_budget"],
  ["limit", "max_tokens", "output_length"],
  ["limit", undefined, "max_turns"],
  ["interrupted", undefined, "aborted"],
  ["refused", undefined, "unknown"],
] as const)("a turn that %s with %s has the code %s", (outcome, code, expected) => {
  const machine = createMachine();
  machine.acceptPrompt("u1", [{ type: "text", text: "Go" }], "queue");
  machine.dispatch("u1");
  machine.apply({ type: "turn.ended", outcome, error: code && { code, message: "It is so." } });
  const result = translate(machine.take()).find(({ type }) => type === "result")!;
  expect(result.metadata).toMatchObject({
    outcome,
    error_code: expected,
    is_error: outcome !== "interrupted",
  });
  expect(result.content).toEqual(
    outcome === "refused" ? [{ type: "refusal", refusal: "The model refused to answer." }] : [],
  );
});

test("asks say what they are about, and what became of them", () => {
  const machine = createMachine();
  machine.acceptPrompt("u1", [{ type: "text", text: "Go" }], "queue");
  machine.dispatch("u1");
  machine.apply({ type: "tool.start", call: "x", name: "bash" });
  machine.apply({ type: "tool.input", call: "x", input: { command: "ls" } });
  const options = [{ id: "no", label: "No", effect: "reject" as const }];
  machine.apply({ type: "ask.opened", ask: "q", kind: "permission", title: "Run ls?", options, call: "x" });
  const [ask] = [...machine.state.asks.keys()];
  machine.answerAsk(ask!, { option: "no", message: "Not here" }, "ann");
  machine.closeAsk(ask!, "answered", true);
  const messages = translate(machine.take());
  const asked = messages.find(({ type }) => type === "permission_request")!;
  expect(asked.metadata).toMatchObject({
    request_id: ask,
    kind: "permission",
    tool_name: "bash",
    input: { command: "ls" },
    title: "Run ls?",
    options,
  });
  const kinds = messages.filter(({ metadata }) => metadata.request_id === ask).slice(1);
  expect(kinds.map(({ metadata }) => metadata)).toMatchObject([
    { kind: "permission_answered", behavior: "deny", option: "no", message: "Not here", by: "ann" },
    { kind: "permission_closed", outcome: "answered", delivered: true },
  ]);
});

test("every type of the protocol that agents send comes from some event", () => {
  const types = new Set(
    Object.values(EVENT_MESSAGES).flatMap((names) => names.map((name) => name.split(/[ ?]/)[0])),
  );
  const fromAgents = Object.keys(MESSAGE_ROLES).filter(
    (type) =>
      ![
        "session_lifecycle",
        "permission_response",
        "interrupt",
        "configuration_change",
        "control_response",
      ].includes(type),
  );
  expect([...types].sort()).toEqual([...fromAgents, "unknown"].sort());
});
