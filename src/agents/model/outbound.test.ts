import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkLog } from "../../core/check-log.ts";
import type { Draft } from "../../core/draft.ts";
import { eventSchema } from "../../core/event.ts";
import { SessionMachine } from "../../core/session-machine.ts";
import { emptyState } from "../../core/session-state.ts";
import { typedDraft } from "../../core/typed-draft.ts";
import type { RecordInput } from "../transport/translator.ts";
import { outbound } from "./outbound.ts";
import type { WireEvent, WirePart, WireRequest, WireResponse } from "./wire.ts";

const sent = (request: WireRequest): RecordInput => ({ direction: "out", data: JSON.stringify(request) });
const came = (message: WireEvent | WireResponse | string): RecordInput => ({
  direction: "in",
  data: typeof message === "string" ? message : JSON.stringify(message),
});

function draftsOf(...records: RecordInput[]): Draft[] {
  let state = outbound.initial;
  return records.flatMap((record) => {
    const [next, drafts] = outbound.translate(state, record);
    state = next;
    return drafts;
  });
}

const part = (content: WirePart, more: object = {}): WireEvent => ({
  event: "part",
  request: 3,
  part: content,
  ...more,
});
const finished = (usage: object): WirePart =>
  ({ type: "finish-step", finishReason: "stop", usage }) as unknown as WirePart;
const asked = (id: number, steer?: boolean) =>
  sent({ id, method: "prompt", params: { prompt: "u1", text: "hello", files: [], steer } });

describe("single events", () => {
  const cases: [WireEvent, Draft[]][] = [
    [part({ type: "text-start", id: "0" }), [{ type: "text.start", part: "3:0" }]],
    [
      part({ type: "reasoning-delta", id: "0", text: "hm" }),
      [{ type: "reasoning.delta", part: "3:0", delta: "hm" }],
    ],
    [part({ type: "reasoning-delta", id: "0", text: "" }), []],
    [
      part({ type: "tool-call", toolCallId: "c", toolName: "fly", input: "{", invalid: true }),
      [
        { type: "tool.start", call: "c", name: "fly", kind: undefined },
        { type: "tool.input", call: "c", input: "{" },
      ],
    ],
    [
      part(finished({ inputTokens: 5, outputTokens: 2 }), { model: "m", dollars: 1, window: 100 }),
      [{ type: "usage", input: 5, output: 2, cost: 1, model: "m", context: { used: 7, size: 100 } }],
    ],
    [
      part(finished({ inputTokens: 5, outputTokens: 2 }), { model: "m", isAside: true }),
      [{ type: "usage", input: 5, output: 2, model: "m" }],
    ],
    [
      { event: "discarded", request: 3, parts: ["0"], calls: ["c"], reason: "It broke off." },
      [{ type: "content.discarded", parts: ["3:0"], calls: ["c"], reason: "It broke off." }],
    ],
    [
      { event: "call_failed", call: "c", error: "no", output: { type: "tool_error" }, exitCode: 1 },
      [{ type: "tool.failed", call: "c", error: "no", output: { type: "tool_error" }, exitCode: 1 }],
    ],
    [{ event: "call_denied", call: "c", note: "no" }, [{ type: "tool.denied", call: "c", reason: "no" }]],
    [
      { event: "file_changed", call: "c", path: "/a", change: "created", diff: "+a" },
      [{ type: "file.edited", call: "c", path: "/a", kind: "created", diff: "+a" }],
    ],
    [{ event: "compacting", trigger: "limit" }, [{ type: "compaction.started", trigger: "limit" }]],
    [{ event: "compaction_failed", reason: "no" }, [{ type: "compaction.ended", error: "no" }]],
    [
      { event: "compaction_skipped", reason: "small", tokens: 9, limit: 100 },
      [{ type: "compaction.ended", tokensBefore: 9, skipped: "small" }],
    ],
    [
      { event: "turn_finished", turn: "t", reason: "cancelled" },
      [{ type: "turn.ended", outcome: "interrupted" }],
    ],
  ];

  it.each(cases)("%o", (event, drafts) => {
    expect(draftsOf(came(event))).toEqual(drafts);
  });

  it("tokens that were not counted are unknown, and not 0", () => {
    expect(draftsOf(came(part(finished({}), { model: "m" })))).toEqual([]);
    expect(draftsOf(came(part(finished({ outputTokens: 2 }), { model: "m", window: 9 })))).toEqual([
      { type: "usage", output: 2, model: "m" },
    ]);
  });
});

describe("answers to requests", () => {
  it("a prompt that is taken has the program's id", () => {
    expect(draftsOf(asked(1), came({ id: 1, result: { accepted: "prompt-1" } }))).toEqual([
      { type: "prompt.received", message: "u1", native: "prompt-1" },
    ]);
  });

  it("a prompt that is refused ends its turn, a steered one goes back", () => {
    const error = { code: "turn_over", message: "too late" };
    expect(draftsOf(asked(1), came({ id: 1, error }))).toEqual([
      { type: "turn.ended", outcome: "failed", error },
    ]);
    expect(draftsOf(asked(1, true), came({ id: 1, error }))).toEqual([
      { type: "prompt.returned", message: "u1", reason: "too late" },
    ]);
  });
});

describe("what means nothing", () => {
  it.each([
    ["hello", "not-json"],
    ["[]", "not-an-object"],
    ['{"event":"sing"}', "sing"],
    ['{"event":"toString"}', "toString"],
    ['{"event":"call_denied"}', "call_denied"],
    ['{"event":"part","part":{"type":"dance"}}', "part/dance"],
    ['{"event":"part","part":{"type":"text-delta","id":1}}', "part/text-delta"],
    ['{"event":"part"}', "not-a-part"],
    ['{"id":7,"result":{}}', "not-a-message"],
  ])("%s is told as unknown", (line, native) => {
    expect(draftsOf(came(line))).toEqual([{ type: "agent.unknown", native, text: expect.any(String) }]);
  });
});

const id = fc.constantFrom("a", "b");
const words = fc.constantFrom("x", " ", "");
const amount = fc.option(fc.nat(1000), { nil: undefined });

const anyPart: fc.Arbitrary<WirePart> = fc.oneof(
  fc.record({
    type: fc.constantFrom("text-start", "text-end", "reasoning-start", "reasoning-end"),
    id,
  }) as fc.Arbitrary<WirePart>,
  fc.record({
    type: fc.constantFrom("text-delta", "reasoning-delta"),
    id,
    text: words,
  }) as fc.Arbitrary<WirePart>,
  fc.record({ type: fc.constant("tool-input-start"), id, toolName: words }) as fc.Arbitrary<WirePart>,
  fc.record({ type: fc.constant("tool-input-delta"), id, delta: words }) as fc.Arbitrary<WirePart>,
  fc.record({
    type: fc.constant("tool-call"),
    toolCallId: id,
    toolName: words,
    input: fc.jsonValue(),
  }) as fc.Arbitrary<WirePart>,
  fc.record({ inputTokens: amount, outputTokens: amount }).map(finished),
);

const anyEvent: fc.Arbitrary<WireEvent> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.tuple(fc.nat(2), anyPart).map(([request, some]) => ({ ...part(some), request })),
  },
  fc.constantFrom<WireEvent>(
    { event: "step_started", step: 1 },
    { event: "step_finished", step: 1 },
    { event: "compacting", trigger: "limit" },
    { event: "compacted", summary: "s", tokensBefore: 2, tokensAfter: 1 },
    { event: "compaction_skipped", reason: "r", tokens: 1 },
    { event: "compaction_failed", reason: "r" },
    { event: "title", title: "t" },
    { event: "plan", items: [{ text: "p", status: "active" }] },
    { event: "retry", attempt: 1, of: 4, waitMs: 0, code: "retry", reason: "r" },
    { event: "remark", level: "info", code: "c", text: "t" },
    { event: "turn_finished", turn: "t", reason: "done" },
    { event: "turn_finished", turn: "t", reason: "failed", error: { code: "c", message: "m" } },
  ),
  id.chain((call) =>
    fc.constantFrom<WireEvent>(
      { event: "call_described", call, tool: "t", title: "T" },
      { event: "call_output_delta", call, text: "o" },
      { event: "call_output", call, output: { type: "r" }, exitCode: 0 },
      { event: "call_failed", call, error: "e" },
      { event: "call_denied", call },
      { event: "file_changed", call, path: "/a", change: "changed" },
      { event: "ask", ask: `ask-${call}`, kind: "permission", call, title: "May I?", options: [] },
      { event: "ask_withdrawn", ask: `ask-${call}` },
      { event: "discarded", request: 1, parts: [call], calls: [call], reason: "r" },
    ),
  ),
);

/** Something in its place, or nothing. */
const damage = fc.record({
  place: fc.nat(6),
  value: fc.constantFrom<unknown>(undefined, null, 7, "x", [], {}),
});

const anyLine = fc.oneof(
  { weight: 5, arbitrary: anyEvent.map((event) => JSON.stringify(event)) },
  {
    weight: 1,
    arbitrary: fc.tuple(anyEvent, damage).map(([event, { place, value }]) => {
      const keys = Object.keys(event);
      return JSON.stringify({ ...event, [keys[place % keys.length]!]: value });
    }),
  },
);

it("any stream of lines makes a well-formed log", () => {
  fc.assert(
    fc.property(fc.array(fc.array(anyLine, { maxLength: 25 }), { maxLength: 3 }), (turns) => {
      let messages = 0;
      const messageId = () => `m${++messages}`;
      const machine = new SessionMachine(emptyState("s"), { now: () => 0, messageId });
      machine.create({ agent: "model", cwd: "/" });
      machine.apply({ type: "session.attached", agentSessionId: "n" }, 1);
      let state = outbound.initial;
      for (const [turn, lines] of turns.entries()) {
        machine.acceptPrompt(`u${turn}`, [], "queue");
        if (!machine.state.turn) machine.dispatch(machine.state.queue[0]!.message);
        for (const line of lines) {
          const [next, drafts] = outbound.translate(state, came(line));
          state = next;
          for (const draft of drafts) machine.apply(typedDraft(draft), 2);
        }
      }
      machine.detach("crash");
      const log = machine.take();
      expect(checkLog(log, { complete: true })).toEqual([]);
      for (const event of log) expect(eventSchema.safeParse(event).error?.issues).toBeUndefined();
    }),
    { numRuns: 300 },
  );
});
