import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { boundDraft } from "./bound-draft.ts";
import { checkLog } from "./check-log.ts";
import type { Draft } from "./draft.ts";
import { eventSchema } from "./event.ts";
import { SessionMachine } from "./session-machine.ts";
import { emptyState } from "./session-state.ts";
import { typedDraft } from "./typed-draft.ts";

/** What the engine and replay make of drafts. */
function logOf(drafts: readonly unknown[]) {
  let messages = 0;
  const machine = new SessionMachine(emptyState("s"), { now: () => 1, messageId: () => `m${++messages}` });
  machine.create({ agent: "test", cwd: "/" });
  for (const draft of drafts)
    for (const bounded of boundDraft(typedDraft(draft as Draft), 1000)) machine.apply(bounded, 1);
  machine.detach("exit");
  return machine.take();
}

const GIVEN_BY_THE_MACHINE = [
  "type",
  "session",
  "seq",
  "at",
  "turn",
  "raw",
  "generation",
  "message",
  "native",
];

/** Only the machine makes them. */
const NO_DRAFTS =
  /^(checkpoint|conversation|message)\.|^session\.(created|detached|closed)$|^prompt\.(accepted|changed|withdrawn|dispatched)$|^turn\.stopping$/;

const oddValue = fc.oneof(
  fc.constantFrom("a", "b", "question", "completed", "once", "pending", "created"),
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(["a"], [{ id: "a", label: "A", effect: "once" }], [{ path: "p", kind: "changed" }], {}),
);

/** Which fields there are a translator decides; what is in them, the agent. */
const oddDraft = fc.oneof(
  ...eventSchema.options
    .filter(({ shape }) => !NO_DRAFTS.test(shape.type.value))
    .map(({ shape }) => {
      const names = Object.keys(shape).filter((name) => !GIVEN_BY_THE_MACHINE.includes(name));
      const fields = fc.record(Object.fromEntries(names.map((name) => [name, oddValue])), {
        requiredKeys: [],
      });
      return fields.map((values) => ({ ...values, type: shape.type.value }));
    }),
);

describe("a field of another type than its event has", () => {
  it("never reaches the log, whatever an agent sends", () => {
    fc.assert(
      fc.property(fc.array(oddDraft, { maxLength: 30 }), (drafts) => {
        const log = logOf(drafts);
        expect(checkLog(log, { complete: true })).toEqual([]);
        expect(log.map((event) => eventSchema.safeParse(event).error?.issues).filter(Boolean)).toEqual([]);
      }),
      { numRuns: 2000 },
    );
  });

  it("is left out where the event can be without it", () => {
    expect(typedDraft({ type: "session.updated", title: "T", model: false } as never)).toEqual({
      type: "session.updated",
      title: "T",
    });
  });

  it("is read as text where an agent counts its calls", () => {
    const log = logOf([
      { type: "tool.start", call: 7, name: "look" },
      { type: "tool.output", call: 7, output: "seen" },
    ]);
    expect(log.map(({ type }) => type)).toContain("tool.output");
  });

  it("costs the event where it cannot be without it, and the log says so", () => {
    expect(typedDraft({ type: "notice", level: "loud", code: "c", text: "t" } as never)).toEqual({
      type: "agent.unknown",
      native: "notice",
      text: 'It has no "level" that can be read.',
    });
  });

  it("makes no copy of a draft that is right", () => {
    const draft: Draft = { type: "text.delta", part: "p", delta: "hello" };
    expect(typedDraft(draft)).toBe(draft);
  });
});
