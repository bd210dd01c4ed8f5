import fc from "fast-check";
import { expect, test } from "vitest";
import { changedWords, linePairs } from "./changed-words.ts";
import { parseDiff } from "./parse-diff.ts";

function marked(diff: string): string[] {
  const { lines } = parseDiff(`@@ -1,9 +1,9 @@\n${diff}`);
  const changed = changedWords(lines);
  return lines.map(({ text }, index) => {
    const ranges = changed.get(index) ?? [];
    return [...text]
      .map((letter, at) =>
        ranges.some(([start, end]) => at >= start && at < end) ? letter.toUpperCase() : letter,
      )
      .join("");
  });
}

test("the words that changed are told", () => {
  expect(marked("-const size = 3;\n+const width = 3;")).toEqual(["const SIZE = 3;", "const WIDTH = 3;"]);
  expect(marked(" same\n-a b c\n+a c")[1]).toBe("a B c");
});

test("of several lines that came, the most alike is compared", () => {
  expect(marked("-  return a;\n+  // why\n+  return b;")).toEqual(["  return A;", "  // why", "  return B;"]);
});

test("a line that was replaced is not taken apart", () => {
  expect(marked("-import a from b\n+return nothing else")).toEqual([
    "import a from b",
    "return nothing else",
  ]);
});

test("lines without a counterpart have none", () => {
  const { lines } = parseDiff("@@ -1,3 +1,1 @@\n-a\n-b\n+c\n d\n+e");
  expect([...linePairs(lines)]).toEqual([[0, 2]]);
});

test("what is not marked is the same on both sides", () => {
  const words = fc
    .array(fc.constantFrom("a", "bb", "c(d)", " ", "\t", "é", "=", "\ud83d\ude00"), { maxLength: 12 })
    .map((list) => list.join(""));
  fc.assert(
    fc.property(words, words, (before, after) => {
      const { lines } = parseDiff(`@@ -1 +1 @@\n-${before}\n+${after}`);
      const changed = changedWords(lines);
      if (!changed.has(0)) return;
      const rest = (index: number) => {
        let text = "";
        let at = 0;
        for (const [start, end] of changed.get(index)!) {
          text += lines[index]!.text.slice(at, start);
          at = end;
        }
        return text + lines[index]!.text.slice(at);
      };
      expect(rest(0)).toBe(rest(1));
    }),
  );
});
