import { expect, test } from "vitest";
import type { SessionEvent } from "./event.ts";
import { MAX_MESSAGE_TEXT, MessageText } from "./message-text.ts";

function textOf(...events: object[]): string {
  const text = new MessageText();
  for (const event of events) text.add(event as SessionEvent);
  expect(text.length).toBeLessThanOrEqual(MAX_MESSAGE_TEXT);
  return String(text);
}

const question = {
  type: "ask.opened",
  ask: "a",
  kind: "question",
  title: "Which color?",
  questions: [
    {
      id: "q1",
      header: "Color",
      text: "Which color?",
      options: [{ label: "Blue", description: "As elsewhere" }, { label: "Green" }],
    },
  ],
};

test("a question has its words once, its options and what was answered, between the texts around it", () => {
  const text = textOf(
    { type: "text.delta", part: "p", delta: "First " },
    { type: "text.delta", part: "p", delta: "this." },
    question,
    { type: "ask.answered", ask: "a", answers: { q1: ["Green", "or teal"] }, message: "Not red" },
    { type: "text.delta", part: "p2", delta: "Teal it is." },
  );
  expect(text.split("\n")).toEqual([
    "First this.",
    ...["Which color?", "Color", "Blue", "As elsewhere", "Green"],
    ...["Green", "or teal", "Not red"],
    "Teal it is.",
  ]);
});

test("a plan of a sub-agent is there, a permission and its answer are not", () => {
  const plan = {
    type: "ask.opened",
    ask: "b",
    kind: "plan",
    title: "Plan",
    description: "1. Rename",
    parent: "c",
  };
  const permission = { type: "ask.opened", ask: "c", kind: "permission", title: "Run rm" };
  const answer = { type: "ask.answered", ask: "c", option: "deny", message: "Never" };
  expect(textOf(plan, permission, answer)).toBe("Plan\n1. Rename");
});

test("an ask and a part with one name are two, and a part that is taken back leaves the ask", () => {
  const text = textOf({ type: "text.delta", part: "a", delta: "Wrong" }, question, {
    type: "content.discarded",
    parts: ["a", "ask a"],
  });
  expect(text).toMatch(/^Which color\?/);
});

test("a plan longer than what is searched is cut, and what follows has no room", () => {
  const plan = {
    type: "ask.opened",
    ask: "b",
    kind: "plan",
    title: "Plan",
    description: "x".repeat(100_000),
  };
  expect(textOf(plan, { type: "text.delta", part: "p", delta: "more" })).toHaveLength(MAX_MESSAGE_TEXT);
});
