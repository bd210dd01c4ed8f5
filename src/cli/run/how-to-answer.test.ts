import { expect, test } from "vitest";
import { howToAnswer } from "./how-to-answer.ts";

const allow = { id: "allow", label: "Allow", effect: "once" } as const;
const base = { ask: "a1", kind: "permission", title: "Write b.txt", options: [allow] } as const;
type Shown = Parameters<typeof howToAnswer>[1];

function lines(more: Partial<Shown> = {}): string[] {
  return howToAnswer("s1", { ...base, options: [allow], ...more }).split("\n");
}

test("what is asked can be seen before it is allowed: the plan, or the diff", () => {
  expect(lines({ description: "1. Read\n2. Write\n" }).slice(0, 3)).toEqual([
    "It asks: Write b.txt",
    "1. Read",
    "2. Write",
  ]);
  const changes = [{ path: "b.txt", kind: "created" as const, diff: "@@ -0,0 +1 @@\n+hello\n" }];
  expect(lines({ changes }).slice(1, 4)).toEqual(["b.txt", "@@ -0,0 +1 @@", "+hello"]);
});

test("of a long one the beginning is shown, and how much is missing", () => {
  const plan = Array.from({ length: 50 }, (_, index) => `${index}.`).join("\n");
  expect(lines({ description: plan }).slice(40, 42)).toEqual(["39.", "… 10 more lines"]);
});

test("what the title says is not said again", () => {
  expect(lines({ description: "Write b.txt" })).toHaveLength(2);
});
