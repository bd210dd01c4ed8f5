import { expect, it } from "vitest";
import type { EventOf } from "../../core/event.ts";
import { answerFor, isSameAnswer } from "./ask-answer.ts";

const opened = {
  ask: "a1",
  kind: "question",
  options: [],
  questions: [
    {
      id: "sure",
      text: "Are you sure?",
      free: false,
      options: [
        { label: "Yes", value: "true" },
        { label: "No", value: "false" },
      ],
    },
    {
      id: "order",
      text: "Which first?",
      multiple: true,
      free: true,
      // Nobody forbids it: a label that is the value of another option.
      options: [{ label: "two", value: "one" }, { label: "one", value: "two" }, { label: "three" }],
    },
  ],
} as unknown as EventOf<"ask.opened">;

it("gives the agent the value of what was answered by its label", () => {
  expect(answerFor(opened, { answers: { sure: ["Yes"] } })).toEqual({ answers: { sure: ["true"] } });
  expect(answerFor(opened, { answers: { sure: ["false"] } })).toEqual({ answers: { sure: ["false"] } });
});

it("takes what is a value for one, and leaves alone what is neither value nor label", () => {
  const answers = { order: ["one", "three", "something else"] };
  expect(answerFor(opened, { answers })).toEqual({ answers });
});

it("holds a label and its value for the same answer", () => {
  const winner = { ...answerFor(opened, { answers: { sure: ["true"] } }) } as EventOf<"ask.answered">;
  expect(isSameAnswer(winner, answerFor(opened, { answers: { sure: ["Yes"] } }))).toBe(true);
  expect(isSameAnswer(winner, answerFor(opened, { answers: { sure: ["No"] } }))).toBe(false);
});

it("a question with an empty list of options takes any words", () => {
  const asked = { ...opened, questions: [{ id: "name", text: "Your name?", options: [] }] } as typeof opened;
  expect(answerFor(asked, { answers: { name: ["Bob"] } })).toEqual({ answers: { name: ["Bob"] } });
});
