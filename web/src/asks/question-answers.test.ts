import { expect, test } from "vitest";
import { collectAnswers, draftOf } from "./question-answers.ts";

const colour = { id: "q1", text: "Colour?", options: [{ label: "Blue" }, { label: "Green", value: "g" }] };

test("options and free text are answers; without any there is none", () => {
  expect(collectAnswers([colour], {})).toBeUndefined();
  expect(collectAnswers([colour], { q1: { chosen: ["g"], text: " " } })).toEqual({ q1: ["g"] });
  expect(collectAnswers([colour], { q1: { chosen: [], text: " my own " } })).toEqual({ q1: ["my own"] });
});

test("a question that needs no answer may stay empty", () => {
  expect(collectAnswers([{ ...colour, required: false }], {})).toEqual({ q1: [] });
});

test("what the agent suggests is filled in", () => {
  expect(draftOf({ ...colour, default: ["g"] })).toEqual({ chosen: ["g"], text: "" });
  expect(draftOf({ ...colour, default: ["red"] })).toEqual({ chosen: [], text: "red" });
});

test("the answer to a question whose id is a name every object has is not lost", () => {
  const questions = ["__proto__", "constructor"].map((id) => ({ ...colour, id }));
  const drafts = Object.fromEntries(questions.map(({ id }) => [id, { chosen: ["g"], text: "" }]));
  expect(collectAnswers(questions, {})).toBeUndefined();
  expect(JSON.stringify(collectAnswers(questions, drafts))).toBe('{"__proto__":["g"],"constructor":["g"]}');
});
