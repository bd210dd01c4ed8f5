import { expect, test } from "vitest";
import { lastLines } from "./last-lines.ts";

test("a long output is cut to its end, one that is hardly longer is not", () => {
  const lines = (count: number) =>
    Array.from({ length: count }, (_, index) => `line ${index + 1}`).join("\n");
  expect(lastLines(`${lines(40)}\n\n`, 2)).toEqual({ text: "line 39\nline 40", hidden: 38 });
  expect(lastLines(lines(5), 2)).toEqual({ text: lines(5), hidden: 0 });
  expect(lastLines("", 2)).toEqual({ text: "", hidden: 0 });
});
