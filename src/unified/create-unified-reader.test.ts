import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { boundDraft } from "../core/bound-draft.ts";
import { checkLog } from "../core/check-log.ts";
import type { Draft } from "../core/draft.ts";
import { eventSchema } from "../core/event.ts";
import { createUnifiedMessage } from "./create-unified-message.ts";
import { createUnifiedReader, type UnifiedReaderOptions } from "./create-unified-reader.ts";
import { createMachine } from "./logs.test-support.ts";
import {
  UNIFIED_MESSAGE_TYPES,
  UNIFIED_ROLES,
  type UnifiedContent,
  type UnifiedMessage,
  type UnifiedMessageType,
} from "./unified-message.ts";

function message(
  type: UnifiedMessageType,
  metadata: Record<string, unknown> = {},
  content: UnifiedContent[] = [],
): UnifiedMessage {
  return createUnifiedMessage({ type, role: "system", metadata, content });
}

function read(messages: readonly unknown[], options?: UnifiedReaderOptions): Draft[] {
  const reader = createUnifiedReader(options);
  return messages.flatMap((each) => reader.read(each).drafts);
}

const text = (value: string): UnifiedContent => ({ type: "text", text: value });
const streamed = (value: string, metadata = {}) => message("stream_event", metadata, [text(value)]);
const whole = (...content: UnifiedContent[]) => message("assistant", {}, content);
const textsOf = (drafts: readonly Draft[]) =>
  drafts.flatMap((draft) =>
    draft.type === "text.delta" || draft.type === "reasoning.delta" ? [draft.delta] : [],
  );

describe("what was streamed is not told again when it comes whole", () => {
  test.each<[string, unknown[], string[]]>([
    ["not streamed", [whole(text("Hello"))], ["Hello"]],
    ["streamed", [streamed("Hel"), streamed("lo"), whole(text("Hello"))], ["Hel", "lo"]],
    ["streamed in part", [streamed("Hel"), whole(text("Hello"))], ["Hel", "lo"]],
    ["another text", [streamed("Hello"), whole(text("Goodbye"))], ["Hello", "Goodbye"]],
    ["said twice", [streamed("Yes"), whole(text("Yes")), whole(text("Yes"))], ["Yes", "Yes"]],
    [
      "two blocks in two messages",
      [
        streamed("One", { part_id: "a" }),
        streamed("Two", { part_id: "b" }),
        whole(text("One")),
        whole(text("Two")),
      ],
      ["One", "Two"],
    ],
    [
      "thoughts apart from texts",
      [
        message("stream_event", {}, [{ type: "thinking", thinking: "Same" }]),
        whole({ type: "thinking", thinking: "Same" }, text("Same")),
      ],
      ["Same", "Same"],
    ],
    ["only in the result", [message("result", { subtype: "success", result: "Hello" })], ["Hello"]],
    ["in the result again", [whole(text("Hello")), message("result", { result: "Hello" })], ["Hello"]],
    ["code", [whole({ type: "code", language: "ts", code: "1" })], ["```ts\n1\n```"]],
    ["a refusal", [whole({ type: "refusal", refusal: "No." })], ["No."]],
  ])("%s", (_, messages, expected) => {
    expect(textsOf(read(messages))).toEqual(expected);
  });

  test("a very long stream is known to have been there", () => {
    const long = "x".repeat(1024 * 1024);
    const messages = [...Array.from({ length: 6 }, () => streamed(long)), whole(text(long.repeat(6)))];
    expect(textsOf(read(messages))).toHaveLength(6);
  });

  test("images", () => {
    const image: UnifiedContent = {
      type: "image",
      source: { type: "base64", media_type: "image/png", data: "AAAA" },
    };
    const drafts = read([message("stream_event", {}, [image]), whole(image), whole(image)]);
    expect(drafts.filter(({ type }) => type === "file")).toHaveLength(2);
  });
});

test("the stream events of Claude", () => {
  const event = (value: object) => message("stream_event", { event: value });
  const drafts = read([
    event({ type: "message_start", message: { id: "msg_1" } }),
    event({ type: "content_block_start", index: 0, content_block: { type: "thinking", thinking: "" } }),
    event({ type: "content_block_delta", index: 0, delta: { type: "thinking_delta", thinking: "Hm." } }),
    event({ type: "content_block_stop", index: 0 }),
    event({ type: "content_block_start", index: 1, content_block: { type: "text", text: "" } }),
    event({ type: "content_block_delta", index: 1, delta: { type: "text_delta", text: "Hi" } }),
    event({ type: "content_block_stop", index: 1 }),
    event({
      type: "content_block_start",
      index: 2,
      content_block: { type: "tool_use", id: "t1", name: "ls" },
    }),
    event({
      type: "content_block_delta",
      index: 2,
      delta: { type: "input_json_delta", partial_json: '{"a":' },
    }),
    event({ type: "content_block_delta", index: 2, delta: { type: "input_json_delta", partial_json: "1}" } }),
    event({ type: "content_block_stop", index: 2 }),
    event({ type: "message_stop" }),
    whole({ type: "thinking", thinking: "Hm." }, text("Hi"), {
      type: "tool_use",
      id: "t1",
      name: "ls",
      input: { a: 1 },
    }),
    // Claude gives results as messages of the user.
    createUnifiedMessage({
      type: "user_message",
      role: "user",
      content: [{ type: "tool_result", tool_use_id: "t1", content: "a.txt" }],
    }),
  ]);
  expect(drafts).toEqual([
    { type: "reasoning.start", part: " msg_1 0" },
    { type: "reasoning.delta", part: " msg_1 0", delta: "Hm." },
    { type: "reasoning.end", part: " msg_1 0" },
    { type: "text.start", part: " msg_1 1" },
    { type: "text.delta", part: " msg_1 1", delta: "Hi" },
    { type: "text.end", part: " msg_1 1" },
    { type: "tool.start", call: "t1", name: "ls" },
    { type: "tool.input.delta", call: "t1", delta: '{"a":' },
    { type: "tool.input.delta", call: "t1", delta: "1}" },
    { type: "tool.input", call: "t1", input: { a: 1 } },
    { type: "tool.output", call: "t1", output: "a.txt" },
  ]);
});

test("calls that are only in whole messages", () => {
  const drafts = read([
    whole(
      { type: "tool_use", id: "t1", name: "ls", input: {} },
      { type: "tool_use", id: "t2", name: "cat", input: { f: 1 } },
    ),
    message("tool_progress", { tool_use_id: "t1", tool_name: "ls", elapsed_time_seconds: 3 }),
    message("tool_use_summary", { tool_use_id: "t1", status: "completed", output: { files: 1 } }),
    whole({ type: "tool_result", tool_use_id: "t2", content: "no such file", is_error: true }),
    whole({ type: "tool_result", tool_use_id: "t2", content: "no such file", is_error: true }),
    message("tool_use_summary", { summary: "Looked around", preceding_tool_use_ids: ["t1", "t2"] }),
  ]);
  expect(drafts).toEqual([
    { type: "tool.start", call: "t1", name: "ls" },
    { type: "tool.input", call: "t1", input: {} },
    { type: "tool.start", call: "t2", name: "cat" },
    { type: "tool.input", call: "t2", input: { f: 1 } },
    { type: "tool.progress", call: "t1", progress: { elapsed_time_seconds: 3 } },
    { type: "tool.output", call: "t1", output: { files: 1 } },
    { type: "tool.failed", call: "t2", error: "no such file" },
    { type: "tool.summary", calls: ["t1", "t2"], text: "Looked around" },
  ]);
});

describe("the end of a turn", () => {
  test.each<[Record<string, unknown>, object]>([
    [{ subtype: "success" }, { outcome: "completed" }],
    [{}, { outcome: "completed" }],
    [{ error_code: "aborted" }, { outcome: "interrupted" }],
    [
      { is_error: true, error_code: "provider_auth", error_message: "No key" },
      { outcome: "failed", error: { code: "authentication_failed", message: "No key" } },
    ],
    [
      { error_code: "context_overflow", error: "Too long" },
      { outcome: "limit", error: { code: "context_full", message: "Too long" } },
    ],
    [{ subtype: "error_max_turns" }, { outcome: "limit" }],
    [
      { subtype: "error_during_execution", errors: ["Broken"] },
      { outcome: "failed", error: { code: "error_during_execution", message: "Broken" } },
    ],
  ])("%j", (metadata, expected) => {
    expect(read([message("result", metadata)])).toEqual([{ type: "turn.ended", ...expected }]);
  });

  test("a refusal", () => {
    const result = message("result", { is_error: true }, [{ type: "refusal", refusal: "No." }]);
    expect(read([result])).toEqual([{ type: "turn.ended", outcome: "refused" }]);
  });

  test("the status idle ends a turn in which something was said, and no other", () => {
    const idle = message("status_change", { status: "idle" });
    expect(read([idle])).toEqual([]);
    expect(read([whole(text("Hi")), idle, idle]).filter(({ type }) => type === "turn.ended")).toHaveLength(1);
    const withResult = [whole(text("Hi")), message("result"), idle];
    expect(read(withResult).filter(({ type }) => type === "turn.ended")).toHaveLength(1);
  });

  test("each assistant message is a turn where there is nothing else", () => {
    const drafts = read([whole(text("Hi"))], { turnEnd: "assistant" });
    expect(drafts.at(-1)).toEqual({ type: "turn.ended", outcome: "completed" });
  });

  test("usage is counted once, whether it is told on the way, at the end, or both", () => {
    const usage = { usage: { input_tokens: 10, output_tokens: 3 }, cost: 0.3 };
    const onTheWay = message("status_change", { kind: "usage", ...usage });
    const sum = (messages: unknown[]) =>
      read(messages).flatMap((draft) =>
        draft.type === "usage" ? [[draft.input, draft.output, draft.cost]] : [],
      );
    expect(sum([message("result", usage)])).toEqual([[10, 3, 0.3]]);
    expect(sum([onTheWay, message("result", usage)])).toEqual([[10, 3, 0.3]]);
    const more = { usage: { input_tokens: 12, output_tokens: 3 }, cost: 0.4 };
    expect(sum([onTheWay, message("result", more)])).toEqual([
      [10, 3, 0.3],
      [2, undefined, 0.1],
    ]);
    // Of the next turn.
    expect(sum([message("result", usage), message("result", usage)])).toHaveLength(2);
  });
});

test("what an agent tells about itself", () => {
  const init = message("session_init", {
    model: "large",
    models: ["large", { id: "small", name: "Small" }, 7],
    slash_commands: ["/help", "compact"],
    tools: ["bash", null],
    permission_mode: "plan",
    agent_session_id: "native",
  });
  expect(read([init])).toEqual([
    {
      type: "session.attached",
      agentSessionId: "native",
      model: "large",
      models: [{ id: "large" }, { id: "small", name: "Small" }],
      commands: [{ name: "help" }, { name: "compact" }],
      tools: ["bash"],
      permissionMode: "plan",
    },
  ]);
  expect(read([message("auth_status", { isAuthenticating: true, output: ["Open", "this"] })])).toEqual([
    { type: "auth.status", state: "pending", text: "Open\nthis" },
  ]);
  expect(read([message("status_change", { status: "compacting" })])).toEqual([
    { type: "compaction.started" },
  ]);
});

test("a permission offers to allow and to deny", () => {
  const asked = message("permission_request", {
    request_id: "r",
    tool_name: "bash",
    tool_use_id: "t",
    input: { a: 1 },
  });
  expect(read([asked])).toEqual([
    { type: "tool.start", call: "t", name: "bash" },
    { type: "tool.input", call: "t", input: { a: 1 } },
    {
      type: "ask.opened",
      ask: "r",
      kind: "permission",
      title: "Use bash?",
      options: [
        { id: "allow", label: "Allow", effect: "once" },
        { id: "deny", label: "Deny", effect: "reject" },
      ],
      call: "t",
    },
  ]);
});

describe("options of a request that are not in our shape", () => {
  const ALLOW_OR_DENY = [
    { id: "allow", label: "Allow", effect: "once" },
    { id: "deny", label: "Deny", effect: "reject" },
  ];
  const asked = (metadata: object) =>
    read([message("permission_request", { request_id: "r", ...metadata })]).at(-1);

  test("those of ACP are mapped by their kind", () => {
    const options = [
      { optionId: "yes", name: "Yes", kind: "allow_once" },
      { optionId: "yes-always", name: "Always", kind: "allow_always" },
      { optionId: "no", kind: "reject_once" },
      { optionId: "never", name: "Never", kind: "reject_always" },
    ];
    expect(asked({ options })).toMatchObject({
      type: "ask.opened",
      options: [
        { id: "yes", label: "Yes", effect: "once" },
        { id: "yes-always", label: "Always", effect: "always" },
        { id: "no", label: "no", effect: "reject" },
        { id: "never", label: "Never", effect: "reject-always" },
      ],
    });
  });

  test.each<[string, unknown]>([
    ["none", []],
    ["texts", ["Yes", "No"]],
    ["a kind that nobody knows", [{ optionId: "no", name: "No", kind: "constructor" }]],
    [
      "one that cannot be read among others",
      [{ optionId: "yes", name: "Yes", kind: "allow_once" }, { name: "No" }],
    ],
    ["no list", { yes: "Yes" }],
  ])("%s: allow and deny are offered, so that the turn does not hang", (_, options) => {
    expect(asked({ options })).toMatchObject({
      type: "ask.opened",
      kind: "permission",
      options: ALLOW_OR_DENY,
    });
  });

  test("a question without anything to answer can be allowed and denied", () => {
    expect(asked({ kind: "question", questions: [{ ask: "Which?" }] })).toMatchObject({
      kind: "permission",
      options: ALLOW_OR_DENY,
    });
    const questions = [{ id: "q", text: "Which?" }];
    expect(asked({ kind: "question", questions })).toMatchObject({
      kind: "question",
      questions,
      options: [],
    });
  });
});

test("nothing is dropped in silence", () => {
  const reader = createUnifiedReader();
  expect(reader.read(message("unknown", { native_type: "ping", text: "…" })).drafts).toEqual([
    { type: "agent.unknown", native: "ping", text: "…" },
  ]);
  for (const [each, name] of [
    [message("status_change", { kind: "weather" }), "status_change/weather"],
    [message("control_response"), "control_response"],
    [message("user_message", {}, [text("Hello")]), "user_message"],
    [message("session_lifecycle", { subtype: "session_created" }), "session_lifecycle/session_created"],
  ] as const)
    expect(reader.read(each)).toEqual({ drafts: [], unread: [name] });
});

describe("hostile values", () => {
  const KEYS = [
    ...[
      "kind",
      "subtype",
      "status",
      "request_id",
      "tool_use_id",
      "tool_name",
      "part_id",
      "event",
      "usage",
      "cost",
    ],
    ...[
      "input",
      "output",
      "options",
      "questions",
      "answers",
      "entries",
      "models",
      "commands",
      "settings",
      "tools",
    ],
    ...[
      "parent_tool_use_id",
      "task_id",
      "message_id",
      "inResponseTo",
      "part_ids",
      "changes",
      "locations",
      "context",
    ],
    ...[
      "file",
      "source",
      "progress",
      "level",
      "code",
      "outcome",
      "error_code",
      "text",
      "__proto__",
      "constructor",
    ],
  ];
  const WORDS = [
    ...[
      "result",
      "summary",
      "task",
      "file_edit",
      "details",
      "preview",
      "output",
      "progress",
      "usage",
      "plan",
      "notice",
    ],
    ...[
      "permission_answered",
      "permission_closed",
      "permission_updated",
      "session_update",
      "system_message",
      "idle",
    ],
    ...[
      "message_part_removed",
      "session_compacted",
      "completed",
      "failed",
      "denied",
      "content_block_start",
      "a",
      "b",
    ],
  ];
  const value = fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...WORDS) },
    { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 4 }) },
    {
      weight: 1,
      arbitrary: fc.record({
        type: fc.constantFrom(
          "content_block_start",
          "content_block_delta",
          "content_block_stop",
          "message_start",
        ),
        index: fc.oneof(fc.integer(), fc.string()),
        delta: fc.jsonValue(),
        content_block: fc.record({
          type: fc.constantFrom("text", "tool_use", "thinking"),
          id: fc.jsonValue(),
        }),
      }),
    },
  );
  const id = fc.constantFrom("a", "b", "c");
  const block: fc.Arbitrary<UnifiedContent> = fc.oneof(
    fc.string().map((each) => text(each)),
    fc.string().map((thinking): UnifiedContent => ({ type: "thinking", thinking })),
    id.map((call): UnifiedContent => ({ type: "tool_use", id: call, name: "x", input: {} })),
    fc.tuple(id, fc.boolean()).map(
      ([tool_use_id, is_error]): UnifiedContent => ({
        type: "tool_result",
        tool_use_id,
        content: "",
        is_error,
      }),
    ),
    fc.string().map((refusal): UnifiedContent => ({ type: "refusal", refusal })),
    fc.string().map((code): UnifiedContent => ({ type: "code", language: "`", code })),
    fc.string().map(
      (data): UnifiedContent => ({
        type: "image",
        source: { type: "base64", media_type: "image/x", data },
      }),
    ),
  );
  const hostile = fc.record({
    id: fc.string({ minLength: 1 }),
    timestamp: fc.double({ noNaN: true, noDefaultInfinity: true }),
    type: fc.constantFrom(...UNIFIED_MESSAGE_TYPES),
    role: fc.constantFrom(...UNIFIED_ROLES),
    content: fc.array(block, { maxLength: 4 }),
    metadata: fc.dictionary(fc.constantFrom(...KEYS), value),
  });

  test("never throw, and always make a well-formed log of real events", () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof({ weight: 9, arbitrary: hostile }, fc.anything()), { maxLength: 40 }),
        (messages) => {
          const machine = createMachine();
          machine.apply({ type: "session.attached" });
          machine.acceptPrompt("u", [{ type: "text", text: "Go" }], "queue");
          machine.dispatch("u");
          for (const draft of read(messages))
            for (const bounded of boundDraft(draft, 100_000)) machine.apply(bounded, 1);
          machine.detach("crash");
          const events = machine.take();
          expect(checkLog(events, { complete: true })).toEqual([]);
          for (const event of events) expect(eventSchema.safeParse(event).success).toBe(true);
        },
      ),
      { numRuns: 500 },
    );
  });

  test("huge and deep ones", () => {
    let deep: unknown = "end";
    for (let level = 0; level < 150; level += 1) deep = { deep };
    const messages = [
      message("tool_progress", { tool_use_id: "t", progress: deep }),
      message("stream_event", {}, [text("x".repeat(5_000_000))]),
      message("permission_request", { request_id: "r".repeat(100_000), options: new Array(5000).fill({}) }),
      message("session_init", { models: new Array(50_000).fill("m"), commands: new Array(50_000).fill("c") }),
      message("assistant", {}, new Array(9000).fill(text("x"))),
    ];
    const machine = createMachine();
    for (const draft of read(messages))
      for (const bounded of boundDraft(draft, 100_000)) machine.apply(bounded, 1);
    machine.detach("crash");
    expect(checkLog(machine.take(), { complete: true })).toEqual([]);
  });
});
