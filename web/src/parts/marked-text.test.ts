import fc from "fast-check";
import { expect, test } from "vitest";
import { markedText } from "./marked-text.ts";

function marked(line: string, pattern?: string): string {
  return markedText(line, pattern)
    .map(({ text, isMatch }) => (isMatch ? `[${text}]` : text))
    .join("");
}

test("words are found in any case, also in a simple regular expression", () => {
  expect(marked("const path = tilePath(TilePath)", "tilePath")).toBe("const path = [tilePath]([TilePath])");
  expect(marked("a or b", "\\b(a|b)\\b")).toBe("[a] or [b]");
  expect(marked("see map.ts and mapsts", "map\\.ts")).toBe("see [map.ts] and mapsts");
  expect(marked("anything", "any.*")).toBe("anything");
  expect(marked("anything")).toBe("anything");
});

test("nothing of a line is lost, whatever the pattern", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (line, pattern) => {
      const pieces = markedText(line, pattern);
      expect(pieces.map(({ text }) => text).join("")).toBe(line);
    }),
  );
});
