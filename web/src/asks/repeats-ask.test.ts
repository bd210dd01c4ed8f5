import { expect, test } from "vitest";
import type { AskData } from "../chat/page-message.ts";
import { repeatsAsk } from "./repeats-ask.ts";

const base: Pick<AskData, "ask" | "options" | "state"> = { ask: "a1", options: [], state: "open" };
const question: AskData = {
  ...base,
  kind: "question",
  title: "Which colour?",
  questions: [{ id: "q", text: "Which colour?", options: [{ label: "Blue" }, { label: "Green" }] }],
};
const plan: AskData = { ...base, kind: "plan", title: "Carry out this plan?", description: "1. Read" };
const answered = { by: "me", effect: "once" } as AskData["answer"];

test("a question and a plan are not shown a second time as JSON", () => {
  const input = { question: "Which colour?", options: [{ label: "Blue" }, { label: "Green" }] };
  expect(repeatsAsk(input, [question])).toBe(true);
  expect(repeatsAsk({ plan: "1. Read" }, [plan])).toBe(true);
  const output = { type: "ask_user_result", question: "Which colour?", answers: ["Green"] };
  expect(repeatsAsk(output, [{ ...question, answer: { ...answered!, answers: { q: ["Green"] } } }])).toBe(
    true,
  );
});

test("a plan that was answered can still be read in the input", () => {
  expect(repeatsAsk({ plan: "1. Read" }, [{ ...plan, state: "answered", answer: answered }])).toBe(false);
});

test("what an ask does not show stays: other input, permissions, values without a text", () => {
  expect(repeatsAsk({ question: "Which colour?", file: "a.ts" }, [question])).toBe(false);
  expect(repeatsAsk({ command: "ls" }, [{ ...base, kind: "permission", title: "ls" }])).toBe(false);
  expect(repeatsAsk({ count: 3 }, [question])).toBe(false);
  expect(repeatsAsk({ plan: "1. Read" }, [])).toBe(false);
});
