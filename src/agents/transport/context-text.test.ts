import { expect, it } from "vitest";
import type { ContextPart } from "../../core/prompt-part.ts";
import { contextText, withContextAsText } from "./context-text.ts";

const FILE: ContextPart = { type: "context", path: "/p/a.ts" };

it.each<[string, Partial<ContextPart>, string[]]>([
  ["a path", {}, []],
  ["a file", { language: "ts", content: "let a;\n" }, ["```ts", "let a;", "```"]],
  ["a file that does not end its line", { content: "let a;" }, ["```", "let a;", "```"]],
  ["lines", { selection: { start: 3, end: 5 } }, ["Selected: lines 3 to 5"]],
  ["a line", { selection: { start: 3, end: 3 } }, ["Selected: line 3"]],
  ["a text", { language: "ts", selection: "a;" }, ["Selected:", "```ts", "a;", "```"]],
  ["a text with fences", { content: "```\nx\n```\n" }, ["````", "```", "x", "```", "````"]],
])("%s", (_name, more, lines) => {
  expect(contextText({ ...FILE, ...more })).toBe(["File: /p/a.ts", ...lines].join("\n"));
});

it("stands where it was given", () => {
  const text = { type: "text" as const, text: "Why?" };
  expect(withContextAsText([FILE, text])).toEqual([{ type: "text", text: "File: /p/a.ts" }, text]);
});
