import { describe, expect, it } from "vitest";
import { contextPart, findAnswer } from "./inbound.ts";

const question = (more: object = {}) => ({
  id: "q",
  text: "Which?",
  options: [{ label: "Blue" }, { label: "Green", value: "g" }],
  ...more,
});
const ask = (...questions: object[]) => ({ kind: "question", title: "", options: [], questions }) as never;

describe("an answer to a question", () => {
  it.each([
    ["1", "Blue"],
    ["2", "g"],
    ["green", "g"],
    ["g", "g"],
    [" Blue\n", "Blue"],
  ])("is an option's number, label or id: %j", (text, value) => {
    expect(findAnswer(ask(question()), text)).toEqual({ answers: { q: [value] } });
  });

  it.each(["0", "3", "01", "1.", "the blue one", "yes", ""])(
    "is nothing else, even where it is free: %j",
    (text) => {
      expect(findAnswer(ask(question({ free: true })), text)).toBeUndefined();
    },
  );

  it("is several options where these are wanted, and one line for each question", () => {
    expect(findAnswer(ask(question({ multiple: true })), "2, blue")).toEqual({
      answers: { q: ["g", "Blue"] },
    });
    expect(findAnswer(ask(question()), "1, 2")).toBeUndefined();
    const two = ask(question(), question({ id: "r" }));
    expect(findAnswer(two, "1\ngreen")).toEqual({ answers: { q: ["Blue"], r: ["g"] } });
    expect(findAnswer(two, "1")).toBeUndefined();
  });

  it("is yes or no where that is asked, and any text where there are no options", () => {
    const open = (more: object) => ask({ id: "q", text: "?", ...more });
    expect(findAnswer(open({ type: "boolean" }), "Yes")).toEqual({ answers: { q: ["true"] } });
    expect(findAnswer(open({ type: "boolean" }), "perhaps")).toBeUndefined();
    expect(findAnswer(open({}), "call it Ada")).toEqual({ answers: { q: ["call it Ada"] } });
  });
});

describe("an answer to a plan", () => {
  const plan = {
    kind: "plan" as const,
    title: "",
    options: [
      { id: "approve", label: "Approve the plan", effect: "once" as const },
      { id: "keep", label: "Keep planning", effect: "reject" as const },
    ],
  };

  it.each([
    ["yes", "approve"],
    ["no", "keep"],
    ["2", "keep"],
    ["approve", "approve"],
    ["approve the PLAN", "approve"],
  ])("%s", (text, option) => expect(findAnswer(plan, text)).toEqual({ option }));

  it("is none where nobody needs a token, and a permission is never answered", () => {
    expect(findAnswer(plan, "yes", false)).toBeUndefined();
    expect(findAnswer({ ...plan, kind: "permission" }, "yes")).toBeUndefined();
  });
});

it("what the person looks at is a part of the prompt, without what is no language", () => {
  const request = (current_file: object) =>
    ({ messages: [], stream: true, context: { current_file } }) as never;
  expect(
    contextPart(request({ path: "a.py", language: "python", content: "", selection: null }), "/project"),
  ).toEqual({
    type: "context",
    path: "/project/a.py",
    language: "python",
    content: "",
  });
  expect(contextPart(request({ path: "/b", language: "two words" }), "/project")).toEqual({
    type: "context",
    path: "/b",
  });
  expect(contextPart(request({ path: "" }), "/project")).toBeUndefined();
});
