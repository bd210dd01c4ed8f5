/** What recordings do not show: parts of the protocol no agent we know has used yet. */
import { describe, expect, it } from "vitest";
import type { Draft } from "../../core/draft.ts";
import { type AcpState, INITIAL_STATE } from "./conversation-state.ts";
import { outbound } from "./outbound.ts";

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
