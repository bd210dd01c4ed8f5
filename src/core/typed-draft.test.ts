import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { askQuestionSchema } from "./ask.ts";
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

/** Values of the right type with wrong ones among them, at any depth. */
function nearlyRight(schema: z.ZodType): fc.Arbitrary<unknown> {
  const right = rightOrNear(schema);
  return fc.oneof({ weight: 5, arbitrary: right }, { weight: 1, arbitrary: oddValue });
}

function rightOrNear(schema: z.ZodType): fc.Arbitrary<unknown> {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return nearlyRight(schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodArray)
    return fc.array(nearlyRight(schema.element as z.ZodType), { maxLength: 4 });
  if (schema instanceof z.ZodObject) {
    const shape = Object.entries(schema.shape as Record<string, z.ZodType>);
    const fields = Object.fromEntries(shape.map(([name, field]) => [name, nearlyRight(field)]));
    const isNeeded = ([, field]: [string, z.ZodType]) => !field.safeParse(undefined).success;
    return fc.record(fields, { requiredKeys: shape.filter(isNeeded).map(([name]) => name) });
  }
  if (schema instanceof z.ZodEnum) return fc.constantFrom(...schema.options);
  if (schema instanceof z.ZodNumber) return fc.oneof(fc.nat(), fc.double());
  if (schema instanceof z.ZodBoolean) return fc.boolean();
  return fc.constantFrom("a", "b", "c");
}

/** Which fields there are a translator decides; what is in them, the agent. */
const oddDraft = fc.oneof(
  ...eventSchema.options
    .filter(({ shape }) => !NO_DRAFTS.test(shape.type.value))
    .map(({ shape }) => {
      const names = Object.keys(shape).filter((name) => !GIVEN_BY_THE_MACHINE.includes(name));
      const fieldOf = (name: string) => {
        const schema = (shape as unknown as Record<string, z.ZodType>)[name]!;
        return fc.oneof(oddValue, nearlyRight(schema));
      };
      const fields = fc.record(Object.fromEntries(names.map((name) => [name, fieldOf(name)])), {
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

  it("never costs the entries of a list that are right", () => {
    const questions = fc.array(nearlyRight(askQuestionSchema), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(questions, (told) => {
        const draft = {
          type: "ask.opened",
          ask: "a",
          kind: "question",
          title: "T",
          options: [],
          questions: told,
        };
        const kept = (typedDraft(draft as never) as { questions?: unknown[] }).questions ?? [];
        const right = told.filter((question) => askQuestionSchema.safeParse(question).success);
        expect(kept).toEqual(expect.arrayContaining(right));
      }),
    );
  });

  it("in one question does not cost all questions", () => {
    const ask = { type: "ask.opened", ask: "a", kind: "question", title: "T", options: [] };
    const questions = [
      { id: "q1", text: "One?", header: null, options: [{ label: "A", description: 1 }, { label: null }] },
      { id: "q2", text: "Two?" },
      { id: "q3", text: null },
    ];
    expect(typedDraft({ ...ask, questions } as never)).toEqual({
      ...ask,
      questions: [
        { id: "q1", text: "One?", options: [{ label: "A", description: "1" }] },
        { id: "q2", text: "Two?" },
      ],
    });
  });

  it("in one option does not cost the ask, for which the agent would wait for ever", () => {
    const ask = { type: "ask.opened", ask: "a", kind: "permission", title: "T" };
    const right = { id: "yes", label: "Yes", effect: "once" };
    const options = [right, { id: "no", label: "No", effect: "never" }, "odd", { ...right, covers: [null] }];
    expect(typedDraft({ ...ask, options } as never)).toEqual({ ...ask, options: [right, right] });
  });

  it("is no empty list where no entry of a list is right", () => {
    expect(typedDraft({ type: "plan.updated", entries: [{ text: null }] } as never).type).toBe(
      "agent.unknown",
    );
    expect(typedDraft({ type: "session.updated", commands: [7, null] } as never)).toEqual({
      type: "session.updated",
    });
  });

  it("is rounded where an agent counts fractions of tokens", () => {
    const told = { type: "usage", input: 1.5, output: 3, reasoning: -2.5, cacheRead: "4" };
    expect(typedDraft(told as never)).toEqual({ type: "usage", input: 2, output: 3 });
  });

  it("costs the event where it cannot be without it, and the log says so", () => {
    expect(typedDraft({ type: "notice", level: "loud", code: "c", text: "t" } as never)).toEqual({
      type: "agent.unknown",
      native: "notice",
      text: 'It has no "level" that can be read.',
    });
  });

  it("is no output at all where an open call is only corrected", () => {
    const log = logOf([
      { type: "tool.start", call: "c", name: "look" },
      { type: "tool.amended", call: "c", exitCode: 1 },
    ]);
    expect(log.map((event) => eventSchema.safeParse(event).error?.issues).filter(Boolean)).toEqual([]);
    expect(log.find(({ type }) => type === "tool.output")).toMatchObject({ output: null, exitCode: 1 });
  });

  it("makes no copy of a draft that is right", () => {
    const draft: Draft = { type: "text.delta", part: "p", delta: "hello" };
    expect(typedDraft(draft)).toBe(draft);
  });
});
