/** What recordings do not show: parts of the protocol no agent we know has used yet. */
import { describe, expect, it } from "vitest";
import type { Draft } from "../../core/draft.ts";
import { type AcpState, INITIAL_STATE } from "./conversation-state.ts";
import { createOutbound, outbound } from "./outbound.ts";

/** The drafts and unread names after these lines; `>` marks what we sent. */
function hear(...lines: readonly (object | string)[]): {
  drafts: Draft[];
  unread: string[];
  state: AcpState;
} {
  let state = INITIAL_STATE;
  const drafts: Draft[] = [];
  const unread: string[] = [];
  for (const line of lines) {
    const isSent = typeof line === "string" && line.startsWith(">");
    const data = typeof line === "string" ? line.replace(/^>/, "") : JSON.stringify(line);
    const [next, said, left] = outbound.translate(state, { direction: isSent ? "out" : "in", data });
    state = next;
    drafts.push(...said);
    unread.push(...(left ?? []));
  }
  return { drafts, unread, state };
}

const PROMPT = '>{"jsonrpc":"2.0","id":1,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}}';

function update(fields: object, sessionId = "s"): object {
  return { jsonrpc: "2.0", method: "session/update", params: { sessionId, update: fields } };
}

function request(method: string, params: object, id: number | string = 7): object {
  return { jsonrpc: "2.0", id, method, params: { sessionId: "s", ...params } };
}

describe("changes of files", () => {
  const diff = { type: "diff", path: "/p/a.ts", oldText: "= 150;", newText: "= 151;" };
  const fresh = { type: "diff", path: "/p/b.ts", newText: "b\n" };
  const options = [{ optionId: "y", name: "Yes", kind: "allow_once" }];

  it("an ask says which texts are replaced, so that they can be found in the file", () => {
    const toolCall = { toolCallId: "c", title: "Edit", content: [diff, fresh] };
    const { drafts } = hear(PROMPT, request("session/request_permission", { toolCall, options }));
    expect(drafts.find(({ type }) => type === "ask.opened")).toMatchObject({
      changes: [
        { path: "/p/a.ts", kind: "changed", edits: [{ find: "= 150;", replace: "= 151;" }] },
        { path: "/p/b.ts", kind: "created", edits: [{ replace: "b\n" }] },
      ],
    });
  });

  it("a file that was edited says the same, so that it is not shown as edited in line 1", () => {
    const call = { sessionUpdate: "tool_call", toolCallId: "c", title: "Edit", status: "completed" };
    const edited = hear(PROMPT, update({ ...call, content: [diff] })).drafts.find(
      ({ type }) => type === "file.edited",
    );
    expect(edited).toMatchObject({ path: "/p/a.ts", edits: [{ find: "= 150;", replace: "= 151;" }] });
  });
});

describe("updates", () => {
  it("a compaction begins and ends", () => {
    const { drafts } = hear(
      update({ sessionUpdate: "compaction_update", compactionId: "c", status: "in_progress" }),
      update({
        sessionUpdate: "compaction_summary_chunk",
        compactionId: "c",
        content: { type: "text", text: "S" },
      }),
      update({
        sessionUpdate: "compaction_update",
        compactionId: "c",
        status: "completed",
        summary: [{ type: "text", text: "Short." }],
      }),
      update({ sessionUpdate: "compaction_update", compactionId: "d", status: "failed", error: "no room" }),
    );
    expect(drafts).toEqual([
      { type: "compaction.started" },
      { type: "compaction.ended", summary: "Short." },
      { type: "compaction.ended", error: "no room" },
    ]);
  });

  it("a plan that is updated, and one that is removed", () => {
    const entries = [{ content: "Look", priority: "high", status: "in_progress" }, { content: "" }];
    const { drafts } = hear(
      update({ sessionUpdate: "plan_update", plan: { type: "items", planId: "p", entries } }),
      update({ sessionUpdate: "plan_removed", planId: "p" }),
    );
    expect(drafts).toEqual([
      { type: "plan.updated", entries: [{ text: "Look", status: "active", priority: "high" }] },
      { type: "plan.updated", entries: [] },
    ]);
  });

  it("images, links and embedded files in a message", () => {
    const chunk = (content: object) => update({ sessionUpdate: "agent_message_chunk", content });
    const { drafts } = hear(
      PROMPT,
      chunk({ type: "image", mimeType: "image/png", data: "AAAA" }),
      chunk({ type: "resource_link", uri: "https://a.example/x", name: "x", mimeType: "text/html" }),
      chunk({ type: "resource", resource: { uri: "file:///p/a.txt", text: "A" } }),
    );
    expect(drafts).toEqual([
      { type: "file", url: "data:image/png;base64,AAAA", mediaType: "image/png" },
      {
        type: "source",
        id: "https://a.example/x",
        url: "https://a.example/x",
        title: "x",
        mediaType: "text/html",
      },
      { type: "file", url: "data:text/plain;base64,QQ==", mediaType: "text/plain", filename: "a.txt" },
    ]);
  });

  it("what a sub-agent says names the call that started it", () => {
    const _meta = { claudeCode: { parentToolUseId: "task-1" } };
    const { drafts } = hear(
      PROMPT,
      update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: "I look." }, _meta }),
      update({ sessionUpdate: "tool_call", toolCallId: "read-1", title: "Read", kind: "read", _meta }),
    );
    expect(drafts).toEqual([
      { type: "text.delta", parent: "task-1", delta: "I look." },
      { type: "text.end", parent: "task-1" },
      { type: "tool.start", call: "read-1", name: "read", title: "Read", kind: "read", parent: "task-1" },
    ]);
  });

  it("of another session are noted and not taken for ours", () => {
    const load = '>{"jsonrpc":"2.0","id":1,"method":"session/resume","params":{"sessionId":"s","cwd":"/p"}}';
    const chunk = { sessionUpdate: "agent_message_chunk", content: { type: "text", text: "?" } };
    expect(hear(load, PROMPT, update(chunk, "other")).drafts).toEqual([
      { type: "agent.unknown", native: "session/update/agent_message_chunk", text: "of another session" },
    ]);
  });

  it("fields nobody reads are counted by name", () => {
    const content = { type: "text", text: "x" };
    const { unread } = hear(
      PROMPT,
      update({ sessionUpdate: "agent_message_chunk", content, mood: "fine", _meta: { weather: "rain" } }),
    );
    expect(unread).toEqual(["agent_message_chunk.mood", "agent_message_chunk._meta.weather"]);
  });

  it("a state that did not change is the same object", () => {
    const chunk = update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: "x" } });
    const { state } = hear(PROMPT, chunk);
    const [next] = outbound.translate(state, { direction: "in", data: JSON.stringify(chunk) });
    expect(next).toBe(state);
  });
});

describe("asks", () => {
  it("to end a planning mode are plans to approve", () => {
    const toolCall = {
      toolCallId: "exit",
      kind: "switch_mode",
      title: "Ready to code?",
      content: [{ type: "content", content: { type: "text", text: "1. Look" } }],
    };
    const options = [{ optionId: "go", name: "Go", kind: "allow_once" }];
    expect(hear(PROMPT, request("session/request_permission", { toolCall, options })).drafts.at(-1)).toEqual({
      type: "ask.opened",
      ask: "7",
      kind: "plan",
      call: "exit",
      title: "Ready to code?",
      description: "1. Look",
      options: [{ id: "go", label: "Go", effect: "once" }],
    });
  });

  it("to visit a page are closed when the agent says that it was done", () => {
    const url = "https://auth.example/";
    const { drafts } = hear(
      PROMPT,
      request("elicitation/create", { mode: "url", elicitationId: "e", url, message: "Sign in" }),
      { jsonrpc: "2.0", method: "elicitation/complete", params: { elicitationId: "e" } },
    );
    expect(drafts).toMatchObject([
      { type: "ask.opened", kind: "question", url, options: [{ id: "accept" }, { id: "decline" }] },
      { type: "ask.closed", ask: "7", outcome: "cancelled", delivered: true },
    ]);
  });
});

describe("a permission", () => {
  const options = [
    { optionId: "yes", name: "Yes", kind: "allow_once" },
    { optionId: "no", name: "No", kind: "reject_once" },
  ];
  const call = (fields: object) => update({ toolCallId: "c", ...fields });
  const content = (text: string) => [{ type: "content", content: { type: "text", text } }];
  const ask = (toolCall: object = {}) =>
    request("session/request_permission", { toolCall: { toolCallId: "c", ...toolCall }, options });
  const answer = (optionId: string) =>
    `>{"jsonrpc":"2.0","id":7,"result":{"outcome":{"outcome":"selected","optionId":"${optionId}"}}}`;
  const CANCELLED = '>{"jsonrpc":"2.0","id":7,"result":{"outcome":{"outcome":"cancelled"}}}';
  const STARTED = call({ sessionUpdate: "tool_call", title: "Bash", kind: "execute", status: "pending" });

  it("whose command stood in an earlier update shows it", () => {
    const command = '{"command":"rm -r build"}';
    const { drafts } = hear(
      PROMPT,
      STARTED,
      call({ sessionUpdate: "tool_call_update", content: content('{"command":"rm') }),
      call({ sessionUpdate: "tool_call_update", content: content(command) }),
      ask({ content: content("May it?") }),
      call({ sessionUpdate: "tool_call_update", rawInput: { command: "rm -r build" } }),
    );
    expect(drafts.slice(1)).toMatchObject([
      { type: "tool.input", call: "c", input: { command: "rm -r build" } },
      { type: "ask.opened", ask: "7", call: "c", description: "May it?" },
    ]);
  });

  it("that was asked before its command is known shows it when it comes", () => {
    const { drafts } = hear(
      PROMPT,
      STARTED,
      ask(),
      call({ sessionUpdate: "tool_call_update", rawInput: { command: "rm -r build" } }),
    );
    expect(drafts.slice(2)).toEqual([
      { type: "tool.input", call: "c", input: { command: "rm -r build" } },
      { type: "ask.updated", ask: "7", detail: { command: "rm -r build" } },
    ]);
  });

  it("does not lose its command while the agent tells the input again", () => {
    const { drafts } = hear(
      PROMPT,
      ask({ title: "rm", rawInput: { command: "rm -r build" } }),
      call({ sessionUpdate: "tool_call", rawInput: { cwd: "/p" } }),
      call({ sessionUpdate: "tool_call_update", rawInput: { command: "rm -r build", cwd: "/p" } }),
    );
    const inputs = drafts.flatMap((draft) => (draft.type === "tool.input" ? [draft.input] : []));
    expect(inputs).toEqual([{ command: "rm -r build" }, { command: "rm -r build", cwd: "/p" }]);
  });

  const FAILED = call({ sessionUpdate: "tool_call_update", status: "failed" });
  const DESCRIBED = call({ sessionUpdate: "tool_call_update", title: "Running", rawInput: { a: 1 } });
  it.each([
    ["described once more", [DESCRIBED, FAILED]],
    ["announced once more", [STARTED, DESCRIBED, FAILED]],
    ["announced once more after it failed", [FAILED, STARTED, FAILED]],
  ])("that was rejected makes no second call when the first is %s", (_, lines) => {
    const starts = hear(PROMPT, STARTED, ask(), answer("no"), ...lines).drafts.filter(
      ({ type }) => type === "tool.start" || type === "tool.input",
    );
    expect(starts).toHaveLength(1);
  });

  it("that nobody answered makes no second call when the first is announced once more", () => {
    const { drafts } = hear(
      PROMPT,
      STARTED,
      ask(),
      '>{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"s"}}',
      CANCELLED,
      FAILED,
      STARTED,
      call({
        sessionUpdate: "tool_call_update",
        status: "failed",
        rawOutput: '{"error":"It was cancelled"}',
      }),
    );
    expect(drafts.filter(({ type }) => type === "tool.start")).toHaveLength(1);
    expect(drafts.at(-1)).toEqual({ type: "tool.failed", call: "c", error: "It was cancelled" });
  });

  it("for a new call with the id of a rejected one is about the new call", () => {
    const { drafts } = hear(
      PROMPT,
      STARTED,
      ask(),
      answer("no"),
      ask({ title: "Other", rawInput: { b: 2 } }),
    );
    expect(drafts.slice(2)).toMatchObject([
      { type: "tool.start", call: "c", title: "Other" },
      { type: "tool.input", call: "c", input: { b: 2 } },
      { type: "ask.opened", title: "Other" },
    ]);
  });
});

describe("a tool call", () => {
  const call = (fields: object) => update({ sessionUpdate: "tool_call_update", toolCallId: "c", ...fields });
  const STARTED = update({ sessionUpdate: "tool_call", toolCallId: "c", title: "shell", status: "pending" });
  const content = [{ type: "content", content: { type: "text", text: "no such file" } }];
  const chunk = (text: string) =>
    update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });

  it.each([
    ["with the reason", [call({ status: "failed", content })]],
    ["before it", [call({ status: "in_progress", content })]],
  ])("keeps its real error when a bare failure follows the patch %s", (_, patches) => {
    const { drafts } = hear(PROMPT, STARTED, ...patches, call({ status: "failed" }));
    expect(drafts.slice(1)).toEqual([{ type: "tool.failed", call: "c", error: "no such file" }]);
  });

  it("that fails after it had completed has failed", () => {
    const { drafts } = hear(
      PROMPT,
      STARTED,
      call({ status: "completed", content }),
      call({ status: "failed" }),
    );
    expect(drafts.at(-1)).toEqual({ type: "tool.failed", call: "c", error: "no such file" });
  });

  it("of goose has the name of its tool", () => {
    const _meta = { goose: { toolCall: { toolName: "shell", extensionName: "developer" } } };
    const { drafts } = hear(
      PROMPT,
      update({ sessionUpdate: "tool_call", toolCallId: "c", title: "ls", _meta }),
    );
    expect(drafts).toEqual([{ type: "tool.start", call: "c", name: "shell", title: "ls" }]);
  });

  it("of goose shows what it writes as it writes it", () => {
    const chunks = [
      { stream: "stdout", output: "one\n" },
      { stream: "stderr", output: "two\n" },
    ];
    const _meta = { toolNotification: { type: "live_output", params: { sequence: 1, chunks } } };
    const { drafts, unread } = hear(PROMPT, STARTED, call({ status: "in_progress", _meta }));
    expect(drafts.at(-1)).toEqual({ type: "tool.output.delta", call: "c", delta: "one\ntwo\n" });
    expect(unread).toEqual([]);
  });

  it.each([
    ["that runs", []],
    ["that is over", [call({ status: "completed", content })]],
  ])("%s and gets a late title does not split the answer", (_, before) => {
    const { drafts } = hear(PROMPT, STARTED, ...before, chunk("Hel"), call({ title: "late" }), chunk("lo"));
    expect(drafts.map(({ type }) => type)).not.toContain("text.end");
  });
});

describe("an error of the model", () => {
  const failure = (error: object) => ({ jsonrpc: "2.0", id: 1, error });
  const INTRODUCED = '>{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1}}';
  const named = (name: string) => ({
    jsonrpc: "2.0",
    id: 0,
    result: { protocolVersion: 1, agentInfo: { name, version: "1" }, agentCapabilities: {} },
  });
  const errorOf = (drafts: readonly Draft[]) => {
    const end = drafts.at(-1);
    return end?.type === "turn.ended" ? end.error : undefined;
  };

  it.each([
    [{ code: -32000, message: "Authentication required" }, "authentication_failed"],
    [{ code: -32000, message: "Authentication required", data: "no api key found" }, "agent_not_signed_in"],
    [{ code: -32603, message: "Internal error: Incorrect API key provided" }, "authentication_failed"],
    [{ code: 429, message: '{"error":{"code":429,"message":"slow down"}}' }, "rate_limited"],
    [{ code: -32603, message: "Internal error", data: { message: "busy", http_status: 503 } }, "overloaded"],
    [{ code: -32603, message: "Internal error: maximum context length is 8" }, "context_full"],
    [{ code: -32603, message: "Internal error: \u001b[31m401\u001b[0m no" }, "authentication_failed"],
    [{ code: -32603, message: "Internal error: broken" }, "agent_error"],
  ])("%j is %s", (error, code) => {
    expect(errorOf(hear(PROMPT, failure(error)).drafts)?.code).toBe(code);
  });

  it("about a conversation that no longer fits is a limit", () => {
    const full = failure({ code: -32603, message: "Internal error: prompt is too long" });
    expect(hear(PROMPT, full).drafts).toMatchObject([
      { type: "turn.ended", outcome: "limit", error: { code: "context_full" } },
    ]);
  });

  it("says what to do, in the words for this agent", () => {
    const { initial, translate } = createOutbound({ title: "Ada", signIn: "Run `ada login`." });
    const [asked] = translate(initial, { direction: "out", data: PROMPT.slice(1) });
    const data = JSON.stringify(failure({ code: -32000, message: "Authentication required" }));
    expect(errorOf(translate(asked, { direction: "in", data })[1])?.message).toBe(
      "Authentication required. The credentials of Ada were refused. Run `ada login`.",
    );
  });

  it.each([
    [
      "goose",
      "Ran into this error: Rate limit exceeded: no.\n\nPlease retry if you think this is a transient or",
    ],
    ["Copilot", "Error: 429 no"],
    ["Copilot", "Error: The provider at http://127.0.0.1/ was asked too often (HTTP 429).\\n  Wait."],
  ])("that %s tells as if it were the answer fails the turn", (agent, words) => {
    const { drafts } = hear(
      INTRODUCED,
      named(agent),
      PROMPT,
      update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text: words } }),
      { jsonrpc: "2.0", id: 1, result: { stopReason: "end_turn" } },
    );
    expect(drafts).toMatchObject([
      { type: "turn.ended", outcome: "failed", error: { code: "rate_limited" } },
    ]);
  });

  describe("as an agent quotes it", () => {
    const QUOTE = "Error: 404 Not Found";
    const say = (text: string) =>
      update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
    const answer = (stopReason: string) => ({ jsonrpc: "2.0", id: 1, result: { stopReason } });
    const hearCopilot = (...lines: readonly (object | string)[]) =>
      hear(INTRODUCED, named("Copilot"), PROMPT, ...lines);
    const textIn = (drafts: readonly Draft[]) =>
      drafts.map((draft) => (draft.type === "text.delta" ? draft.delta : "")).join("");

    it.each([
      ["in the middle", ["The log says:\n\n", QUOTE, "\n\nThe path is wrong."]],
      ["at the end", ["The log says:\n\n", QUOTE]],
      ["at the beginning", [QUOTE, " is what the log says."]],
      ["twice", [QUOTE, QUOTE]],
    ])("%s of its answer is not lost, and does not fail the turn", (_, texts) => {
      const { drafts } = hearCopilot(...texts.map(say), answer("end_turn"));
      expect(textIn(drafts)).toBe(texts.join(""));
      expect(drafts.at(-1)).toEqual({ type: "turn.ended", outcome: "completed" });
      expect(drafts.filter(({ type }) => type === "text.end")).toHaveLength(1);
    });

    it("after it has said that it asks the model again fails the turn, and what it said is a notice", () => {
      const again = "Info: Request failed due to a transient API error. Retrying...";
      const refused = "Error: Authentication failed with provider at http://127.0.0.1:1/v1 (HTTP 401).";
      const { drafts } = hearCopilot(say(again), say(again), say(refused), answer("end_turn"));
      expect(drafts.map(({ type }) => type)).toEqual(["notice", "notice", "turn.ended"]);
      expect(drafts[0]).toMatchObject({ code: "retry", text: again });
      expect(drafts.at(-1)).toMatchObject({ outcome: "failed", error: { code: "authentication_failed" } });
    });

    it("before it goes on with a call is said before the call", () => {
      const call = update({ sessionUpdate: "tool_call", toolCallId: "c", title: "Look", kind: "read" });
      const { drafts } = hearCopilot(say(QUOTE), call, answer("end_turn"));
      expect(drafts.map(({ type }) => type)).toEqual(["text.delta", "text.end", "tool.start", "turn.ended"]);
      expect(drafts.at(-1)).toMatchObject({ outcome: "completed" });
    });

    it.each(["cancelled", "refusal", "max_tokens"])("is not lost when the turn ends as %s", (reason) => {
      expect(textIn(hearCopilot(say(QUOTE), answer(reason)).drafts)).toBe(QUOTE);
    });

    it("is not lost when the agent dies", () => {
      const { drafts, state } = hearCopilot(say(QUOTE));
      expect(drafts).toEqual([]);
      const data = { event: "exit", code: 1, signal: null } as const;
      expect(textIn(outbound.translate(state, { direction: "process", data })[1])).toBe(QUOTE);
    });
  });
});

describe("introductions", () => {
  const INITIALIZE = '>{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1}}';
  const answer = (result: object) => ({ jsonrpc: "2.0", id: 0, result });

  it("a later version is known by its words", () => {
    const later = { protocolVersion: 2, info: { name: "a", version: "1" }, capabilities: {} };
    expect(hear(INITIALIZE, answer(later)).state.agent?.protocol).toBe(2);
  });

  it("a number that is only echoed is none", () => {
    const echo = { protocolVersion: 2, agentInfo: { name: "a", version: "1" }, agentCapabilities: {} };
    expect(hear(INITIALIZE, answer(echo)).state.agent?.protocol).toBe(1);
  });
});
