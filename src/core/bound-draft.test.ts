import { describe, expect, it } from "vitest";
import { boundDraft, isWithinBounds } from "./bound-draft.ts";
import { MAX_DEPTH } from "./bound-value.ts";
import { checkLog } from "./check-log.ts";
import type { Draft } from "./draft.ts";
import { eventSchema, type SessionEvent } from "./event.ts";
import { SessionMachine } from "./session-machine.ts";
import { emptyState } from "./session-state.ts";

const LIMIT = 256 * 1024;
const HUGE = "x".repeat(20 * 1024 * 1024);

function nested(levels: number): unknown {
  let value: unknown = "deep";
  for (let level = 0; level < levels; level += 1) value = [value];
  return value;
}

/** Every field an agent can set, each far too large. */
const OVERSIZED: Draft[] = [
  {
    type: "session.attached",
    agentSessionId: HUGE,
    model: HUGE,
    agentVersion: HUGE,
    tools: Array(50_000).fill("t"),
  },
  { type: "session.updated", title: HUGE, commands: [{ name: HUGE, description: HUGE, hint: HUGE }] },
  {
    type: "session.updated",
    models: Array.from({ length: 50_000 }, (_, id) => ({ id: `m${id}`, name: HUGE })),
  },
  { type: "session.updated", modes: [{ id: HUGE }], settings: [{ id: "s", name: HUGE, value: HUGE }] },
  { type: "text.start", part: HUGE },
  { type: "text.delta", part: HUGE, delta: HUGE },
  { type: "reasoning.delta", delta: HUGE, parent: HUGE, task: HUGE },
  { type: "tool.start", call: HUGE, name: HUGE, title: HUGE, kind: HUGE, locations: [{ path: HUGE }] },
  { type: "tool.input.delta", call: "c", delta: HUGE },
  { type: "tool.input", call: "c", input: { content: HUGE, more: nested(5000) } },
  { type: "tool.progress", call: "c", progress: Array(1_000_000).fill(1) },
  { type: "tool.output", call: "c", output: nested(1_000_000), metadata: HUGE },
  { type: "tool.start", call: "d", name: "d" },
  { type: "tool.failed", call: "d", error: HUGE, output: HUGE, metadata: nested(3000) },
  { type: "tool.amended", call: "d", output: HUGE },
  { type: "tool.summary", calls: Array(50_000).fill(HUGE.slice(0, 1000)), text: HUGE },
  { type: "content.discarded", parts: [HUGE], calls: [HUGE], reason: HUGE },
  { type: "file", url: `data:image/png;base64,${HUGE}`, mediaType: "image/png", filename: HUGE },
  { type: "source", id: "s", url: HUGE, title: HUGE },
  { type: "file.edited", path: HUGE, kind: "changed", diff: HUGE },
  { type: "plan.updated", entries: Array(50_000).fill({ text: "x".repeat(5000), status: "pending" }) },
  {
    type: "ask.opened",
    ask: HUGE,
    kind: "question",
    title: HUGE,
    description: HUGE,
    options: [{ id: HUGE, label: HUGE, effect: "once" }],
    questions: [{ id: "q", text: HUGE, options: [{ label: HUGE, description: HUGE }] }],
    changes: [{ path: HUGE, kind: "changed", diff: HUGE }],
    detail: nested(4000),
  },
  { type: "task.started", task: HUGE, title: HUGE },
  { type: "task.updated", task: HUGE, delta: HUGE, progress: HUGE },
  { type: "task.ended", task: HUGE, outcome: "completed", summary: HUGE, output: HUGE },
  { type: "notice", level: "info", code: HUGE, text: HUGE, data: { [HUGE]: HUGE } },
  { type: "agent.unknown", native: HUGE, text: HUGE },
  { type: "compaction.ended", summary: HUGE, error: HUGE },
  { type: "auth.status", state: "ok", text: HUGE },
  { type: "turn.ended", outcome: "failed", error: { code: HUGE, message: HUGE } },
];

describe("what an agent says", () => {
  it("makes a well-formed log of small events, however large each of its fields is", () => {
    let messages = 0;
    const machine = new SessionMachine(emptyState("s"), { now: () => 1, messageId: () => `m${++messages}` });
    machine.create({ agent: "test", cwd: "/" });
    for (const draft of OVERSIZED) for (const bounded of boundDraft(draft, LIMIT)) machine.apply(bounded, 1);
    machine.detach("exit");
    const log: SessionEvent[] = machine.take();
    expect(checkLog(log, { complete: true })).toEqual([]);
    for (const event of log) {
      expect(eventSchema.safeParse(event).error?.issues).toBeUndefined();
      expect({ type: event.type, isSmall: JSON.stringify(event).length < 4_500_000 }).toMatchObject({
        isSmall: true,
      });
    }
  });

  it("is not looked at twice where it is ordinary", () => {
    const delta: Draft = { type: "text.delta", part: "p", delta: "hello" };
    expect(boundDraft(delta, LIMIT)[0]).toBe(delta);
    const input: Draft = { type: "tool.input", call: "c", input: { file: "a".repeat(100_000) } };
    expect(boundDraft(input, LIMIT)[0]).toBe(input);
    expect(isWithinBounds({ type: "tool.output", call: "c", output: "x".repeat(LIMIT + 1) }, LIMIT)).toBe(
      false,
    );
  });

  it("loses nothing of a text that is too long for one event", () => {
    const words = "word ".repeat(200_000);
    const pieces = boundDraft({ type: "text.delta", part: "p", delta: words }, LIMIT);
    expect(pieces.length).toBeGreaterThan(1);
    expect(pieces.map((piece) => (piece as { delta: string }).delta).join("")).toBe(words);
  });

  it("keeps long ids apart, and gives the same short one each time", () => {
    const idOf = (call: string) =>
      (boundDraft({ type: "tool.output.delta", call, delta: "x" }, LIMIT)[0] as { call: string }).call;
    const long = "c".repeat(100_000);
    expect(idOf(long)).toBe(idOf(`${long}`));
    expect(new Set([idOf(long), idOf(`${long}1`), idOf(`${long}2`), idOf(`${long}11`)]).size).toBe(4);
    expect(idOf("short")).toBe("short");
  });

  it("has a mark where it is too deep, and keeps what is above", () => {
    const [draft] = boundDraft({ type: "tool.input", call: "c", input: { a: 1, b: nested(3000) } }, LIMIT);
    const json = JSON.stringify(draft);
    expect(json).toContain(`more than ${MAX_DEPTH} levels deep`);
    expect(json).toContain('"a":1');
  });

  it("says how many entries of a list are left out", () => {
    const entries = Array.from({ length: 20_000 }, (_, at) => ({
      text: `${at}`,
      status: "pending" as const,
    }));
    const [plan, notice] = boundDraft({ type: "plan.updated", entries }, LIMIT);
    expect((plan as { entries: unknown[] }).entries).toHaveLength(10_000);
    expect(notice).toMatchObject({
      type: "notice",
      code: "cut",
      text: expect.stringContaining("10000 entries"),
    });
  });
});

it("an ask keeps its options although the changes it shows are too large", () => {
  const changes = Array.from({ length: 4 }, (_, at) => ({
    path: `f${at}`,
    kind: "changed" as const,
    diff: "x".repeat(900_000),
  }));
  const options = [{ id: "yes", label: "Allow", effect: "once" as const }];
  const [bounded] = boundDraft(
    { type: "ask.opened", ask: "a", kind: "permission", title: "?", changes, options },
    LIMIT,
  );
  expect(bounded).toMatchObject({ options });
});
