import { expect, test } from "vitest";
import { parseDiff } from "./parse-diff.ts";

test("lines carry their numbers in both files", () => {
  const { lines, added, removed } = parseDiff(
    "--- a/x\n+++ b/x\n@@ -3,3 +3,4 @@ function x()\n same\n-old\n+new\n+more\n last\n\\ No newline at end of file\n",
  );
  expect(lines).toEqual([
    { kind: "hunk", text: "function x()" },
    { kind: "same", text: "same", old: 3, new: 3 },
    { kind: "removed", text: "old", old: 4 },
    { kind: "added", text: "new", new: 4 },
    { kind: "added", text: "more", new: 5 },
    { kind: "same", text: "last", old: 5, new: 6 },
  ]);
  expect([added, removed]).toEqual([2, 1]);
});

test("the mark of a first hunk that says nothing is left out, those between stay", () => {
  const { lines } = parseDiff("@@ -1 +1 @@\n-a\n+b\n@@ -9 +9 @@\n-c\n+d\n");
  expect(lines.map(({ kind }) => kind)).toEqual(["removed", "added", "hunk", "removed", "added"]);
});

test("lines of a hunk whose place is unknown have no numbers", () => {
  const { lines, added, removed } = parseDiff("@@ -0,2 +0,2 @@\n same\n-old\n+new\n@@ -4 +4 @@\n-a\n");
  expect(lines).toEqual([
    { kind: "same", text: "same" },
    { kind: "removed", text: "old" },
    { kind: "added", text: "new" },
    { kind: "hunk", text: "" },
    { kind: "removed", text: "a", old: 4 },
  ]);
  expect([added, removed]).toEqual([1, 2]);
});

test("a line that begins with dashes inside a hunk is content", () => {
  expect(parseDiff("@@ -1,2 +1 @@\n--- x\n a\n").lines[0]).toEqual({ kind: "removed", text: "-- x", old: 1 });
});

test("nothing is nothing", () => {
  expect(parseDiff("")).toEqual({ lines: [], added: 0, removed: 0 });
});
