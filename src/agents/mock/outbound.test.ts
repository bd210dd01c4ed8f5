import { describe, expect, it } from "vitest";
import type { Draft } from "../../core/draft.ts";
import type { RecordInput } from "../transport/translator.ts";
import type { MockState } from "./conversation-state.ts";
import { outbound } from "./outbound.ts";
import type { WireEvent, WireRequest, WireResponse } from "./wire.ts";

const sent = (request: WireRequest): RecordInput => ({ direction: "out", data: JSON.stringify(request) });
const came = (message: WireEvent | WireResponse | string): RecordInput => ({
  direction: "in",
  data: typeof message === "string" ? message : JSON.stringify(message),
});

function translateAll(...records: RecordInput[]): { state: MockState; drafts: Draft[] } {
  let state = outbound.initial;
  const drafts: Draft[] = [];
  for (const record of records) {
    const [next, made] = outbound.translate(state, record);
    state = next;
    drafts.push(...made);
  }
  return { state, drafts };
}

const draftsOf = (...records: RecordInput[]) => translateAll(...records).drafts;

const prompt = (id: number, message: string, steer?: boolean) =>
  sent({ id, method: "prompt", params: { prompt: message, text: "hello", files: [], steer } });

describe("single events", () => {
  const cases: [WireEvent, Draft][] = [
    [
      { event: "block_started", block: "b", kind: "text", under: "c" },
      { type: "text.start", part: "b", parent: "c" },
    ],
    [
      { event: "block_started", block: "b", kind: "thinking", task: "k" },
      { type: "reasoning.start", part: "b", task: "k" },
    ],
    [
      { event: "block_delta", block: "b", kind: "thinking", text: "hm" },
      { type: "reasoning.delta", part: "b", delta: "hm" },
    ],
    [
      { event: "block_finished", block: "b", kind: "text" },
      { type: "text.end", part: "b" },
    ],
    [
      { event: "retracted", blocks: ["b"], calls: ["c"], reason: "no" },
      { type: "content.discarded", parts: ["b"], calls: ["c"], reason: "no" },
    ],
    [
      { event: "call_started", call: "c", tool: "read_file", title: "Read", kind: "read" },
      { type: "tool.start", call: "c", name: "read_file", title: "Read", kind: "read" },
    ],
    [
      { event: "call_output", call: "c", output: 1, partial: true },
      { type: "tool.output", call: "c", output: 1, preliminary: true },
    ],
    [
      { event: "call_output", call: "c", output: 1, continues: true, exitCode: 0 },
      { type: "tool.output", call: "c", output: 1, running: true, exitCode: 0 },
    ],
    [
      { event: "call_denied", call: "c", note: "no" },
      { type: "tool.denied", call: "c", reason: "no" },
    ],
    [
      { event: "ask_withdrawn", ask: "a" },
      { type: "ask.closed", ask: "a", outcome: "cancelled", delivered: false },
    ],
    [
      { event: "todo", items: [{ text: "one", state: "doing" }] },
      { type: "plan.updated", entries: [{ text: "one", status: "active" }] },
    ],
    [
      {
        event: "spent",
        tokens: { input: 1, output: 2, thinking: 1, cached: 7 },
        dollars: 0.5,
        model: "m",
        window: 100,
      },
      {
        type: "usage",
        input: 8,
        output: 2,
        reasoning: 1,
        cacheRead: 7,
        cost: 0.5,
        model: "m",
        context: { used: 10, size: 100 },
      },
    ],
    [
      {
        event: "configuration",
        configuration: { model: "m", mode: "plan", permissions: "allow-all", effort: "low" },
      },
      {
        type: "session.updated",
        model: "m",
        mode: "plan",
        permissionMode: "bypass",
        settings: [expect.objectContaining({ id: "effort", value: "low" })],
      },
    ],
    [
      { event: "task_finished", task: "k", result: "failed", summary: "broke" },
      { type: "task.ended", task: "k", outcome: "failed", summary: "broke" },
    ],
  ];

  it.each(cases)("%o", (event, draft) => {
    expect(draftsOf(came(event))).toEqual([draft]);
  });

  it("tells what an always covers and where it is kept", () => {
    const options = [{ id: "allow-always", label: "Always", meaning: "allow-always" as const, tools: ["x"] }];
    const [draft] = draftsOf(came({ event: "ask", ask: "a", kind: "permission", title: "May I?", options }));
    expect(draft).toEqual({
      type: "ask.opened",
      ask: "a",
      kind: "permission",
      title: "May I?",
      options: [
        { id: "allow-always", label: "Always", effect: "always", storedIn: "session", covers: ["x"] },
      ],
    });
  });

  it("does not change its state for them", () => {
    const [state] = outbound.translate(
      outbound.initial,
      came({ event: "block_finished", block: "b", kind: "text" }),
    );
    expect(state).toBe(outbound.initial);
  });
});

describe("what means nothing", () => {
  it.each([
    ["hello", "not-json"],
    ['{"event":"block_delta","bl', "not-json"],
    ["7", "not-an-object"],
    ["[]", "not-an-object"],
    ['{"event":"sing"}', "sing"],
    ['{"event":"toString"}', "toString"],
    ['{"event":"block_delta","text":"no block"}', "block_delta"],
    ['{"event":"block_delta","block":7,"text":"no block"}', "block_delta"],
    ['{"id":99,"result":{}}', "not-a-message"],
    ["{}", "not-a-message"],
  ])("%s is unknown as %s", (line, native) => {
    expect(draftsOf(came(line))).toEqual([{ type: "agent.unknown", native, text: line }]);
  });

  it("is not a blank line, nor what happens to the process", () => {
    expect(draftsOf(came(""), came("  "), { direction: "process", data: { event: "spawn" } })).toEqual([]);
  });
});

describe("the handshake", () => {
  const open = sent({ id: 1, method: "open", params: { wire: 1, configuration: {} } });

  it("is ready when it was answered", () => {
    const result = {
      conversation: "mock-1",
      version: "1.0.0",
      continued: true,
      configuration: { model: "m", mode: "build", permissions: "allow-edits" },
      models: [],
      modes: [],
      commands: [],
      tools: [],
    };
    expect(translateAll(open).state.opening).toBe("sent");
    const { state, drafts } = translateAll(open, came({ id: 1, result }));
    expect(state.opening).toBe("ready");
    expect(drafts).toEqual([
      {
        type: "session.attached",
        agentSessionId: "mock-1",
        agentVersion: "1.0.0",
        resumed: true,
        model: "m",
        mode: "build",
        permissionMode: "acceptEdits",
        models: [],
        modes: [],
        commands: [],
        tools: [],
      },
    ]);
  });

  it("has failed when it was refused", () => {
    const error = { code: "unknown_conversation", message: "no such thing" };
    expect(translateAll(open, came({ id: 1, error })).state.opening).toEqual({ failed: error });
  });
});

describe("turns", () => {
  const finished = came({ event: "turn_finished", turn: "t", reason: "done" });
  const started = (message: string) => came({ event: "turn_started", turn: "t", prompt: message });
  const startedItself = came({ event: "turn_started", turn: "t2", cause: "task", text: "It is done." });
  const ended: Draft = { type: "turn.ended", outcome: "completed" };

  it("for a prompt begin with the prompt, not with a draft", () => {
    expect(
      draftsOf(prompt(1, "u1"), came({ id: 1, result: { accepted: "p1" } }), started("u1"), finished),
    ).toEqual([{ type: "prompt.received", message: "u1", native: "p1" }, ended]);
  });

  it("of the agent itself have a cause", () => {
    expect(draftsOf(startedItself, finished)).toEqual([
      { type: "turn.started", cause: "task", text: "It is done." },
      ended,
    ]);
  });

  it("of the agent itself do not end that of a prompt that crossed them", () => {
    expect(
      draftsOf(prompt(1, "u1"), startedItself, finished, started("u1")).map((draft) => draft.type),
    ).toEqual(["turn.started"]);
    expect(draftsOf(prompt(1, "u1"), startedItself, finished, started("u1"), finished).at(-1)).toEqual(ended);
  });

  it("for steering that came too late are the agent's own", () => {
    expect(draftsOf(prompt(1, "u1", true), started("u1"))[0]).toMatchObject({
      type: "turn.started",
      cause: "steering",
    });
  });

  it("fail when the prompt is refused", () => {
    const error = { code: "full", message: "no more" };
    const refused = translateAll(prompt(1, "u1"), came({ id: 1, error }));
    expect(refused.drafts).toEqual([{ type: "turn.ended", outcome: "failed", error }]);
    expect(refused.state.unstarted).toEqual([]);
    expect(draftsOf(prompt(1, "u1", true), came({ id: 1, error }))).toEqual([
      { type: "prompt.returned", message: "u1", reason: "no more" },
    ]);
  });

  it.each([
    ["cancelled", "interrupted"],
    ["failed", "failed"],
    ["refused", "refused"],
    ["limit", "limit"],
  ] as const)("that are %s end as %s", (reason, outcome) => {
    expect(draftsOf(came({ event: "turn_finished", turn: "t", reason }))).toEqual([
      { type: "turn.ended", outcome },
    ]);
  });
});

it("a request that is refused otherwise is a notice, once", () => {
  const error = { code: "busy", message: "A turn runs." };
  const rewind = sent({ id: 5, method: "rewind", params: { before: "u1" } });
  const { state, drafts } = translateAll(rewind, came({ id: 5, error }));
  expect(drafts).toEqual([{ type: "notice", level: "warning", code: "busy", text: "A turn runs." }]);
  expect(state.requests.size).toBe(0);
  expect(state.nextRequest).toBe(6);
});

it("names what it has no use for", () => {
  const unread = (event: object) => outbound.translate(outbound.initial, came(JSON.stringify(event)))[2];
  expect(unread({ event: "block_delta", block: "b", kind: "text", text: "Hi" })).toBeUndefined();
  expect(unread({ event: "turn_finished", turn: "t", reason: "done", mood: "good" })).toEqual([
    "turn_finished.turn",
    "turn_finished.mood",
  ]);
});
