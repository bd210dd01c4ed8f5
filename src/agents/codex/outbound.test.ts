/** Single messages whose meaning the recordings do not show. Recordings: test/recordings/codex.test.ts. */
import { describe, expect, it } from "vitest";
import type { Draft } from "../../core/draft.ts";
import { toFileChange } from "./outbound/file-change.ts";
import { outbound } from "./outbound.ts";

const THREAD = "a";

/** The drafts of messages from Codex in a thread that is open, with a turn running. */
function translate(...messages: object[]): Draft[] {
  const lines: [direction: "in" | "out", message: object][] = [
    ["out", { id: 1, method: "thread/start", params: {} }],
    ["in", { id: 1, result: { thread: { id: THREAD } } }],
    ["out", { id: 2, method: "turn/start", params: { threadId: THREAD, input: [] } }],
    ["in", { id: 2, result: { turn: { id: "t" } } }],
    ["in", told("turn/started", { turn: { id: "t" } })],
  ];
  let state = outbound.initial;
  for (const [direction, message] of lines) {
    [state] = outbound.translate(state, { direction, data: JSON.stringify(message) });
  }
  return messages.flatMap((message) => {
    const [next, drafts] = outbound.translate(state, { direction: "in", data: JSON.stringify(message) });
    state = next;
    return [...drafts];
  });
}

const told = (method: string, params: object) => ({
  method,
  params: { threadId: THREAD, turnId: "t", ...params },
});
const tokens = (inputTokens: number, outputTokens: number) => ({
  totalTokens: inputTokens + outputTokens,
  inputTokens,
  cachedInputTokens: 0,
  cacheWriteInputTokens: 0,
  outputTokens,
  reasoningOutputTokens: 0,
});
const usage = (total: object, last: object, turnId = "t") =>
  told("thread/tokenUsage/updated", { tokenUsage: { total, last, modelContextWindow: 100 }, turnId });

describe("usage", () => {
  const spent = (drafts: Draft[]) =>
    drafts.flatMap((draft) => (draft.type === "usage" ? [[draft.input, draft.output]] : []));

  it("is what came to the thread's total", () => {
    const drafts = translate(usage(tokens(10, 1), tokens(10, 1)), usage(tokens(30, 3), tokens(20, 2)));
    expect(spent(drafts)).toEqual([
      [10, 1],
      [20, 2],
    ]);
  });

  it("after a rewind is what the response used, also where the total has outgrown the earlier one", () => {
    const drafts = translate(
      usage(tokens(1000, 10), tokens(1000, 10)),
      usage(tokens(6000, 60), tokens(5000, 50)),
      told("thread/reverted", {}),
      usage(tokens(8000, 80), tokens(7000, 70)),
      usage(tokens(8100, 81), tokens(100, 1)),
    );
    expect(spent(drafts)).toEqual([
      [1000, 10],
      [5000, 50],
      [7000, 70],
      [100, 1],
    ]);
  });

  it("of earlier turns, told when a thread is taken up, is not counted again", () => {
    const drafts = translate(
      usage(tokens(500, 50), tokens(5, 5), "earlier"),
      usage(tokens(510, 51), tokens(10, 1)),
    );
    expect(spent(drafts)).toEqual([
      [undefined, undefined],
      [10, 1],
    ]);
  });

  it("is never less than nothing when a total has shrunk", () => {
    const drafts = translate(usage(tokens(500, 50), tokens(500, 50)), usage(tokens(20, 2), tokens(7, 1)));
    expect(spent(drafts)).toEqual([
      [500, 50],
      [7, 1],
    ]);
  });

  it("is told again when a connection is lost: nothing is counted, and the first half is taken back", () => {
    const message = { type: "agentMessage", id: "m", text: "" };
    const drafts = translate(
      usage(tokens(10, 1), tokens(10, 1)),
      told("item/started", { item: message }),
      told("item/agentMessage/delta", { itemId: "m", delta: "Half " }),
      usage(tokens(10, 1), tokens(10, 1)),
      told("error", { error: { message: "Reconnecting... 1/1" }, willRetry: true }),
    );
    expect(spent(drafts)).toEqual([
      [10, 1],
      [undefined, undefined],
    ]);
    expect(drafts.filter(({ type }) => type === "content.discarded")).toMatchObject([{ parts: ["m"] }]);
    expect(drafts.filter(({ type }) => type === "step.ended")).toHaveLength(1);
  });
});

describe("reasoning", () => {
  it("that comes only at its end is told then", () => {
    const item = { type: "reasoning", id: "r", summary: ["one", "two"], content: [] };
    const drafts = translate(
      told("item/started", { item: { ...item, summary: [] } }),
      told("item/completed", { item }),
    );
    expect(drafts.flatMap((draft) => (draft.type === "reasoning.delta" ? [draft.delta] : []))).toEqual([
      "one",
      "two",
    ]);
  });

  it("may be the raw one", () => {
    const drafts = translate(
      told("item/reasoning/textDelta", { itemId: "r", contentIndex: 0, delta: "hm" }),
      told("item/completed", { item: { type: "reasoning", id: "r" } }),
    );
    expect(drafts.map(({ type }) => type)).toEqual(["reasoning.start", "reasoning.delta", "reasoning.end"]);
  });
});

it("a sub-agent of a newer model is told as a call that goes on as a task", () => {
  const item = {
    type: "subAgentActivity",
    id: "s",
    kind: "started",
    agentThreadId: "child",
    agentPath: "/home/me/look",
  };
  const drafts = translate(
    told("item/started", { item }),
    {
      method: "item/agentMessage/delta",
      params: { threadId: "child", turnId: "u", itemId: "m", delta: "hi" },
    },
    {
      method: "turn/completed",
      params: {
        threadId: "child",
        turn: { id: "u", status: "completed", items: [{ type: "agentMessage", text: "found" }] },
      },
    },
  );
  expect(drafts).toMatchObject([
    { type: "step.started" },
    { type: "tool.start", call: "s", kind: "agent", title: "/home/me/look" },
    { type: "task.started", task: "child", call: "s" },
    { type: "tool.output", call: "s", running: true },
    { type: "text.delta", parent: "s", task: "child" },
    { type: "tool.amended", call: "s", output: "found" },
    { type: "task.ended", task: "child", outcome: "completed" },
  ]);
});

it("a limit of the account ends the turn as one", () => {
  const error = { message: "You've hit your usage limit.", codexErrorInfo: "usageLimitExceeded" };
  const drafts = translate(
    told("error", { error, willRetry: false }),
    told("turn/completed", { turn: { id: "t", status: "failed", error } }),
  );
  expect(drafts).toEqual([
    {
      type: "turn.ended",
      native: "t",
      outcome: "limit",
      error: { code: "rate_limited", message: expect.stringContaining(error.message) },
    },
  ]);
});

it("what nobody knows is told as unknown, and what has no use is named", () => {
  expect(translate(told("thread/new/thing", {}))).toEqual([
    { type: "agent.unknown", native: "thread/new/thing" },
  ]);
  expect(translate(told("item/started", { item: { type: "hologram", id: "h" } }))).toContainEqual({
    type: "agent.unknown",
    native: "item/hologram",
  });
  const [, drafts, unread] = outbound.translate(outbound.initial, {
    direction: "in",
    data: JSON.stringify(told("thread/status/changed", {})),
  });
  expect([drafts, unread]).toEqual([[], ["thread/status/changed"]]);
});

describe("file changes", () => {
  it("of a moved file have its hunks and no remark", () => {
    const diff = "@@ -1 +1 @@\n-a\n+b\n\n\nMoved to: /p/new.txt";
    const kind = { type: "update", move_path: "/p/new.txt" } as const;
    expect(toFileChange({ path: "/p/old.txt", kind, diff })).toEqual({
      path: "/p/new.txt",
      from: "/p/old.txt",
      kind: "moved",
      diff: "--- /p/old.txt\n+++ /p/new.txt\n@@ -1 +1 @@\n-a\n+b\n",
    });
  });

  it("of an empty new file have no lines", () => {
    expect(toFileChange({ path: "/p/a", kind: { type: "add" }, diff: "" }).diff).toBe(
      "--- /dev/null\n+++ /p/a\n@@ -0,0 +1,0 @@\n",
    );
  });
});

describe("items of the schema that no recording has", () => {
  const both = (item: object) => translate(told("item/started", { item }), told("item/completed", { item }));

  it("a picture is a call, and a file of the answer", () => {
    const item = {
      type: "imageGeneration",
      id: "g",
      status: "completed",
      revisedPrompt: "a cat",
      result: "iVBORw0KGgo=",
    };
    expect(both(item)).toMatchObject([
      { type: "step.started" },
      { type: "tool.start", name: "imageGeneration" },
      { type: "tool.input", input: { prompt: "a cat" } },
      { type: "tool.output" },
      { type: "file", url: "data:image/png;base64,iVBORw0KGgo=" },
    ]);
  });

  it("the result of a call that was no item is shown as one", () => {
    const item = {
      type: "functionCallOutput",
      id: "f",
      name: "look",
      output: [{ type: "input_text", text: "found" }],
    };
    expect(both(item)).toMatchObject([
      { type: "step.started" },
      { type: "tool.start", name: "look" },
      { type: "tool.output", output: "found" },
    ]);
  });

  it("a hook that blocks is told", () => {
    const run = { status: "blocked", eventName: "preToolUse", statusMessage: null };
    expect(translate(told("hook/completed", { run }))).toMatchObject([{ type: "notice", code: "hook" }]);
  });
});

describe("codex exec --json", () => {
  const call = {
    id: "item_1",
    type: "mcp_tool_call",
    server: "demo",
    tool: "echo",
    arguments: { text: "hi" },
  };
  const started = {
    type: "item.started",
    item: { ...call, result: null, error: null, status: "in_progress" },
  };
  const completed = (item: object) => ({ type: "item.completed", item: { ...call, ...item } });

  it("mcp_tool_call is a call, and no agent.unknown", () => {
    const result = { content: [{ type: "text", text: "echo: hi" }], structured_content: { echoed: "hi" } };
    const drafts = translate(started, completed({ result, error: null, status: "completed" }));
    expect(drafts).toMatchObject([
      { type: "tool.start", call: "item_1", name: "echo", title: "demo: echo" },
      { type: "tool.input", input: { text: "hi" } },
      { type: "tool.output", output: "echo: hi", metadata: { structuredContent: { echoed: "hi" } } },
    ]);
  });

  it("an mcp_tool_call that fails says why", () => {
    const content = [{ type: "text", text: "quota exhausted" }];
    const ofTool = { result: { content, structured_content: null }, error: null, status: "failed" };
    const ofServer = { result: null, error: { message: "quota exhausted" }, status: "failed" };
    for (const failure of [ofTool, ofServer])
      expect(translate(started, completed(failure)).at(-1)).toMatchObject({
        type: "tool.failed",
        error: "quota exhausted",
      });
  });

  it("web_search is a search", () => {
    const search = { id: "item_2", type: "web_search", query: "weather" };
    const drafts = translate(
      { type: "item.started", item: { ...search, query: "" } },
      { type: "item.completed", item: search },
    );
    expect(drafts.map(({ type }) => type)).toEqual(["tool.start", "tool.start", "tool.input", "tool.output"]);
    expect(drafts[1]).toMatchObject({ kind: "search", title: "weather" });
  });
});
