import { expect, it } from "vitest";
import { unifiedDiff } from "./unified-diff.ts";

const numbered = (...numbers: number[]) => numbers.map((number) => `line ${number}\n`).join("");

it("a new file is all additions", () => {
  expect(unifiedDiff("a.md", undefined, "one\ntwo\n")).toBe(
    "--- /dev/null\n+++ b/a.md\n@@ -0,0 +1,2 @@\n+one\n+two\n",
  );
});

it("a changed file has three lines around the change", () => {
  const before = numbered(1, 2, 3, 4, 5, 6, 7, 8, 9);
  const after = before.replace("line 5\n", "line five\nand a half\n");
  expect(unifiedDiff("a.md", before, after)).toBe(
    [
      "--- a/a.md",
      "+++ b/a.md",
      "@@ -2,7 +2,8 @@",
      " line 2",
      " line 3",
      " line 4",
      "-line 5",
      "+line five",
      "+and a half",
      " line 6",
      " line 7",
      " line 8",
      "",
    ].join("\n"),
  );
});

it("added at the end", () => {
  expect(unifiedDiff("a.md", numbered(1, 1), numbered(1, 1, 1))).toBe(
    "--- a/a.md\n+++ b/a.md\n@@ -1,2 +1,3 @@\n line 1\n line 1\n+line 1\n",
  );
});
