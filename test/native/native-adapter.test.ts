/** The adapters on the messages that people have at hand, with the real clients at the other end. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type NativeMessage, nativeAdapter, sent } from "../../src/native/index.ts";
import { chunksOf, expectReadable, expectValidMessages } from "./native-responses.ts";

const claude = nativeAdapter("claude");
const acp = nativeAdapter("acp");
const TWO_TOOLS = readLines("claude-two-tools");
const [INIT, TOOLS, RESULTS, ANSWER, RESULT] = TWO_TOOLS as [object, object, object, object, object];
const PICTURE = new File([new Uint8Array([1, 2])], "dot.png", { type: "image/png" });

function readLines(name: string): object[] {
  const text = readFileSync(join(import.meta.dirname, `../fixtures/native/${name}.jsonl`), "utf8");
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

function counting(): () => string {
  let count = 0;
  return () => {
    count += 1;
    return `id-${count}`;
  };
}

const chunk = (text: string) => ({
  sessionId: "s1",
  update: { sessionUpdate: "agent_message_chunk", content: { type: "text", text } },
});

it("a whole message of Claude Code explodes into the events of its blocks", async () => {
  const chunks = await chunksOf(claude.adaptStream(TWO_TOOLS));
  expect(chunks.map(({ type }) => type).filter((type) => !type.startsWith("data-"))).toEqual([
    ...["start", "start-step"],
    ...["reasoning-start", "reasoning-delta", "reasoning-end", "text-start", "text-delta", "text-end"],
    ...["tool-input-start", "tool-input-available", "tool-input-start", "tool-input-available"],
    ...["tool-output-available", "tool-output-error", "finish-step"],
    ...["start-step", "text-start", "text-delta", "text-end", "finish-step", "finish"],
  ]);
  const message = await expectReadable(chunks);
  expect(message?.metadata).toMatchObject({ model: "claude-sonnet", cost: 0.0042, outcome: "completed" });
});

it("results update the calls they belong to, across messages", async () => {
  const accumulator = claude.createMessageAccumulator({
    generateId: counting(),
    storageSessionId: "your-session-id",
  });
  expect([accumulator.getSessionMetadata(), accumulator.getClaudeSessionId()]).toEqual([null, null]);
  accumulator.process(INIT);
  expect(accumulator.getMessages()).toEqual([]);
  accumulator.process(TOOLS);
  const calls = () => accumulator.getMessages()[0]!.parts.filter(({ type }) => type === "tool-Read");
  expect(calls()).toMatchObject([
    { toolCallId: "t1", state: "input-available", input: { file_path: "/src/index.ts" } },
    { toolCallId: "t2", state: "input-available" },
  ]);
  accumulator.process(RESULTS);
  expect(calls()).toMatchObject([
    { toolCallId: "t1", state: "output-available", output: "file contents..." },
    { toolCallId: "t2", state: "output-error", errorText: "File does not exist." },
  ]);
  accumulator.process(ANSWER);
  accumulator.process(JSON.stringify(RESULT));
  const messages = accumulator.getMessages();
  await expectValidMessages(messages);
  expect(messages).toHaveLength(1);
  expect(messages[0]).toMatchObject({
    id: expect.stringMatching(/^id-/),
    metadata: { session: "your-session-id" },
  });
  expect(messages[0]!.metadata?.replyTo).toBeUndefined();
  expect(accumulator.getSessionMetadata()).toMatchObject({
    turns: 1,
    cost: 0.0042,
    usage: { input: 40, output: 25 },
    model: "claude-sonnet",
    outcome: "completed",
  });
  expect(accumulator.getAgentSessionId()).toBe("session_456");
  expect(accumulator.getClaudeSessionId()).toBe("session_456");
});

/** As the design document of an agent service has it: without `message.id`, `model`, and a line that begins the session. */
const DOCUMENTED = {
  type: "assistant",
  uuid: "msg_123",
  session_id: "session_456",
  message: {
    role: "assistant",
    content: [
      { type: "text", text: "Hello, I can help..." },
      { type: "tool_use", id: "tool_1", name: "read_file", input: { path: "a.txt" } },
    ],
  },
};

it("a message of Claude without message.id is shown like any other", async () => {
  expect(claude.adaptMessage(DOCUMENTED)).toMatchObject({
    id: "msg_123",
    parts: [
      { type: "step-start" },
      { type: "text", text: "Hello, I can help...", state: "done" },
      { type: "tool-read_file", toolCallId: "tool_1", state: "input-available", input: { path: "a.txt" } },
    ],
  });
  const { uuid: _, ...nameless } = DOCUMENTED;
  const answer = (text: string) => ({ ...nameless, message: { content: [{ type: "text", text }] } });
  const accumulator = claude.createMessageAccumulator();
  for (const message of [nameless, answer("One"), answer("Two"), { type: "result", subtype: "success" }])
    accumulator.process(message);
  accumulator.process({ type: "user", message: { content: "Again" } });
  accumulator.process(answer("Three"));
  const texts = accumulator
    .getMessages()
    .map(({ parts }) => parts.flatMap((part) => (part.type === "text" ? [part.text] : [])));
  expect(texts).toEqual([["Hello, I can help...", "One", "Two"], ["Again"], ["Three"]]);
  const chunks = await chunksOf(claude.adaptStream([DOCUMENTED, { type: "result", subtype: "success" }]));
  await expectReadable(chunks);
  expect(chunks).toContainEqual(
    expect.objectContaining({ type: "text-delta", delta: "Hello, I can help..." }),
  );
});

it("a message of Claude whose content is a text does not disappear", () => {
  const message = { ...DOCUMENTED, message: { role: "assistant", content: "Hello" } };
  const [, answer] = claude.adaptMessage(message)?.parts ?? [];
  expect(answer).toMatchObject({ type: "text", text: "Hello", state: "done" });
});

it("a message that is streamed without an id is not told again when it comes whole", () => {
  const event = (body: object) => ({ type: "stream_event", uuid: crypto.randomUUID(), event: body });
  const accumulator = claude.createMessageAccumulator();
  for (const message of [
    event({ type: "message_start", message: { role: "assistant" } }),
    event({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }),
    event({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Hel" } }),
    { ...DOCUMENTED, message: { content: [{ type: "text", text: "Hello" }] } },
    event({ type: "content_block_stop", index: 0 }),
    event({ type: "message_stop" }),
    { type: "result", subtype: "success" },
  ])
    accumulator.process(message);
  const [answer] = accumulator.getMessages();
  expect(answer?.parts.filter(({ type }) => type === "text")).toMatchObject([{ text: "Hello" }]);
});

it("the session id of Claude is known from any line of the conversation", () => {
  for (const line of [DOCUMENTED, { type: "result", subtype: "success", session_id: "session_456" }]) {
    const accumulator = claude.createMessageAccumulator();
    accumulator.process(line);
    expect(accumulator.getClaudeSessionId()).toBe("session_456");
  }
});

it.each([
  ["amp", { ...DOCUMENTED, session_id: "session_456" }],
  [
    "opencode",
    {
      type: "text",
      sessionID: "session_456",
      part: { id: "p1", messageID: "m1", type: "text", text: "Hello" },
    },
  ],
] as const)("the session id of %s is known without the line that begins the session", (agent, line) => {
  const accumulator = nativeAdapter(agent).createMessageAccumulator();
  accumulator.process(line);
  expect(accumulator.getAgentSessionId()).toBe("session_456");
});

it("a result of Claude with usage and without modelUsage counts its tokens, once", () => {
  const usage = { input_tokens: 10, output_tokens: 5, cache_read_input_tokens: 30 };
  const result = { type: "result", subtype: "success", usage };
  const accumulator = claude.createMessageAccumulator();
  for (const message of [DOCUMENTED, result]) accumulator.process(message);
  expect(accumulator.getSessionMetadata()?.usage).toEqual({
    ...{ input: 40, output: 5, cacheRead: 30, cacheWrite: 0 },
  });
  // The message has told some of it already.
  const counted = { ...DOCUMENTED.message, id: "m2", stop_reason: "end_turn", usage: { input_tokens: 4 } };
  for (const message of [{ ...DOCUMENTED, message: counted }, result]) accumulator.process(message);
  expect(accumulator.getSessionMetadata()?.usage).toMatchObject({ input: 80, output: 10 });
  // The totals that newer programs give have all of it.
  const total = { inputTokens: 90, outputTokens: 12, cacheReadInputTokens: 0, cacheCreationInputTokens: 0 };
  for (const message of [DOCUMENTED, { ...result, modelUsage: { large: total } }])
    accumulator.process(message);
  expect(accumulator.getSessionMetadata()?.usage).toMatchObject({ input: 90, output: 12 });
});

it("text in the user's name makes a message between turns, and none while the model works", () => {
  const accumulator = claude.createMessageAccumulator();
  const said = (content: string) => ({
    type: "user",
    parent_tool_use_id: null,
    message: { role: "user", content },
  });
  for (const message of [
    said("Read them"),
    INIT,
    TOOLS,
    said("[Request interrupted by user]"),
    RESULTS,
    ANSWER,
    RESULT,
  ])
    accumulator.process(message);
  accumulator.process(said("Thanks"));
  expect(accumulator.getMessages().map(({ role, parts }) => [role, parts[0]])).toMatchObject([
    ["user", { type: "text", text: "Read them" }],
    ["assistant", { type: "step-start" }],
    ["user", { type: "text", text: "Thanks" }],
    ["assistant", undefined],
  ]);
});

it("a whole message has the agent's own id, and calls without a result", () => {
  expect(claude.adaptMessage(TOOLS)).toMatchObject({
    id: "msg_123",
    role: "assistant",
    parts: [
      { type: "step-start" },
      { type: "reasoning", text: "Let me analyze...", state: "done" },
      { type: "text", text: "Let me read both files", state: "done" },
      { type: "tool-Read", toolCallId: "t1", state: "input-available" },
      { type: "tool-Read", toolCallId: "t2", state: "input-available" },
      { type: "data-usage" },
    ],
  });
  expect(claude.adaptMessage(INIT)).toEqual({ id: "sys_1", role: "system", parts: [] });
  expect(claude.adaptMessage("no JSON")).toMatchObject({ role: "assistant", parts: [] });
});

it("messages that OpenCode has stored can be given whole", () => {
  const info = { id: "msg_1", sessionID: "ses_1", role: "user" };
  const part = { id: "prt_1", messageID: "msg_1", sessionID: "ses_1", type: "text", text: "Hello" };
  const answer = {
    ...info,
    id: "msg_2",
    role: "assistant",
    parentID: "msg_1",
    time: { created: 1, completed: 2 },
  };
  const opencode = nativeAdapter("opencode");
  expect(opencode.adaptMessage({ info, parts: [part] })).toMatchObject({
    id: "msg_1",
    role: "user",
    parts: [{ type: "text", text: "Hello" }],
  });
  const said = { ...part, messageID: "msg_2", text: "Hi", time: { start: 1, end: 2 } };
  expect(opencode.adaptMessage({ info: answer, parts: [said] })).toMatchObject({
    id: "msg_2",
    role: "assistant",
    parts: [{ type: "step-start" }, { type: "text", text: "Hi" }],
  });
});

it("the events of the Codex SDK make a message", async () => {
  const events = [
    { type: "thread.started", thread_id: "thread-1" },
    { type: "turn.started" },
    { type: "item.completed", item: { id: "item_1", type: "agent_message", text: "Hi" } },
    { type: "turn.completed", usage: { input_tokens: 3, output_tokens: 1 } },
  ];
  const codex = nativeAdapter("codex");
  const message = await expectReadable(await chunksOf(codex.adaptStream(events)));
  expect(message?.parts).toContainEqual(expect.objectContaining({ type: "text", text: "Hi" }));
  const accumulator = codex.createMessageAccumulator();
  for (const event of events) accumulator.process(event);
  expect(accumulator.getMessages().map(({ role }) => role)).toEqual(["assistant"]);
  expect(accumulator.getAgentSessionId()).toBe("thread-1");
});

it.each([
  ["with its end", [chunk("Hel"), chunk("lo"), { stopReason: "end_turn" }]],
  ["without one", [chunk("Hel"), chunk("lo")]],
])("what the ACP library hands over makes a message, %s", async (_, messages) => {
  const chunks = await chunksOf(acp.adaptStream(messages));
  const message = await expectReadable(chunks);
  expect(message?.parts).toContainEqual(
    expect.objectContaining({ type: "text", text: "Hello", state: "done" }),
  );
  expect(chunks.at(-1)).toMatchObject({ type: "finish", finishReason: "stop" });
});

it("what was sent is in the conversation when it is shown", () => {
  const accumulator = acp.createMessageAccumulator();
  const params = { sessionId: "s1", prompt: [{ type: "text", text: "Say hello" }] };
  accumulator.process(sent({ jsonrpc: "2.0", id: 1, method: "session/new", params: { cwd: "/" } }));
  accumulator.process({ jsonrpc: "2.0", id: 1, result: { sessionId: "s1" } });
  accumulator.process(sent({ jsonrpc: "2.0", id: 2, method: "session/prompt", params }));
  accumulator.process(chunk("Hello"));
  accumulator.process({ jsonrpc: "2.0", id: 2, result: { stopReason: "end_turn" } });
  expect(accumulator.getMessages()).toMatchObject([
    { role: "user", parts: [{ type: "text", text: "Say hello" }] },
    {
      role: "assistant",
      parts: [{ type: "step-start" }, { text: "Hello" }],
      metadata: { outcome: "completed" },
    },
  ]);
  expect(accumulator.getAgentSessionId()).toBe("s1");
});

it("several turns are one message of the response", async () => {
  const more = [
    { ...ANSWER, message: { id: "m_3", role: "assistant", content: [{ type: "text", text: "More." }] } },
  ];
  const message = await expectReadable(await chunksOf(claude.adaptStream([...TWO_TOOLS, ...more, RESULT])));
  const texts = message?.parts.flatMap((part) => (part.type === "text" && "text" in part ? [part.text] : []));
  expect(texts).toEqual(["Let me read both files", "I'll help you with that.", "More."]);
});

it("two responses never have a message of the same id", async () => {
  const ids = await Promise.all(
    [1, 2].map(async () => (await expectReadable(await chunksOf(claude.adaptStream(TWO_TOOLS))))?.id),
  );
  expect(ids[0]).not.toBe(ids[1]);
});

it("a failure before the first word reaches the client", async () => {
  const failed = {
    ...RESULT,
    subtype: "error_during_execution",
    is_error: true,
    result: undefined,
    errors: ["No such session"],
  };
  const chunks = await chunksOf(claude.adaptStream([failed]));
  await expectReadable(chunks);
  expect(chunks).toContainEqual({ type: "error", errorText: expect.stringContaining("No such session") });
});

it("an agent that breaks off is an error, and the response still ends", async () => {
  async function* broken(): AsyncGenerator<NativeMessage> {
    yield* [INIT, TOOLS];
    throw new Error("the pipe broke");
  }
  const chunks = await chunksOf(claude.adaptStream(broken()));
  expect(chunks.at(-1)).toEqual({ type: "error", errorText: "the pipe broke" });
  await expectReadable(chunks);
  const masked = await chunksOf(claude.adaptStream(broken(), { onError: () => "Something went wrong." }));
  expect(masked.at(-1)).toEqual({ type: "error", errorText: "Something went wrong." });
  const unfinished = await chunksOf(claude.adaptStream([INIT, TOOLS]));
  expect(unfinished.map(({ type }) => type)).toContain("error");
});

it("nothing in, nothing but the end out", async () => {
  expect(await chunksOf(claude.adaptStream([]))).toEqual([]);
});

it("lets go of the agent when nobody reads any more", async () => {
  let isReleased = false;
  async function* endless(): AsyncGenerator<NativeMessage> {
    try {
      for (;;) yield TOOLS;
    } finally {
      isReleased = true;
    }
  }
  const reader = claude.adaptStream(endless()).getReader();
  await reader.read();
  await reader.cancel();
  expect(isReleased).toBe(true);
});

it("what a person wrote is what each agent takes", async () => {
  const text = { type: "text", text: "Hi" };
  expect(await claude.adaptUserMessage("Hi")).toEqual({
    type: "user",
    message: { role: "user", content: "Hi" },
    parent_tool_use_id: null,
    session_id: "",
  });
  expect(await claude.adaptUserMessage("Hi", [PICTURE])).toMatchObject({
    message: { content: [{ type: "image", source: { media_type: "image/png", data: "AQI=" } }, text] },
  });
  expect(await nativeAdapter("codex").adaptUserMessage("Hi", [PICTURE])).toEqual([
    { type: "image", url: "data:image/png;base64,AQI=" },
    { ...text, text_elements: [] },
  ]);
  expect(await nativeAdapter("opencode").adaptUserMessage("Hi", [PICTURE])).toEqual({
    parts: [
      { type: "file", url: "data:image/png;base64,AQI=", mime: "image/png", filename: "dot.png" },
      text,
    ],
  });
  expect(await acp.adaptUserMessage("Hi", [PICTURE])).toEqual([
    { type: "image", mimeType: "image/png", data: "AQI=" },
    text,
  ]);
  expect(await nativeAdapter("amp").adaptUserMessage("Hi")).toEqual({
    type: "user",
    message: { role: "user", content: [text] },
  });
  await expect(nativeAdapter("amp").adaptUserMessage("Hi", [PICTURE])).rejects.toMatchObject({
    code: "unsupported",
  });
});

it("an agent that nobody reads is named, with those that can be", () => {
  expect(() => nativeAdapter("cursor" as never)).toThrow(/"cursor".*claude, codex, opencode, amp, acp/);
});
