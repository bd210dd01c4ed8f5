import { expect, test } from "vitest";
import { prettyFrame, prettyJson } from "./pretty-json.ts";

test("JSON is laid out, anything else stays", () => {
  expect(prettyJson('{"a":[1]}')).toBe('{\n  "a": [\n    1\n  ]\n}');
  expect(prettyJson("}{ half")).toBe("}{ half");
  expect(prettyJson(`["${"x".repeat(200_000)}"]`)).toHaveLength(200_004);
});

test("a frame keeps its lines", () => {
  expect(prettyFrame('id: 3\ndata: {"a":1}\n\n')).toBe('id: 3\ndata: {\n  "a": 1\n}');
  expect(prettyFrame("data: [DONE]\n\n")).toBe("data: [DONE]");
  expect(prettyFrame('{"seq":1}')).toBe('{\n  "seq": 1\n}');
});
