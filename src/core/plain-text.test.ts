import { expect, test } from "vitest";
import { plainText } from "./plain-text.ts";

test.each([
  ["\u001b[31mError:\u001b[0m no key", "Error: no key"],
  ["\u001b[1;38;5;9mbold\u001b[m", "bold"],
  ["\u001b]8;;https://example.test\u0007link\u001b]8;;\u0007", "link"],
  ["\u001b]0;title\u001b\\after", "after"],
  ["cut off \u001b[3", "cut off "],
  ["[31m is no code", "[31m is no code"],
])("%j reads as %j", (coloured, plain) => {
  expect(plainText(coloured)).toBe(plain);
});
