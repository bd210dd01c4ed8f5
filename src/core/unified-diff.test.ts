import { expect, it } from "vitest";
import { unifiedDiff } from "./unified-diff.ts";

it("shows a change with three lines around it", () => {
  const before = ["a", "b", "c", "d", "e", "f", "g", "h", ""].join("\n");
  expect(unifiedDiff("/p/x", before, before.replace("e\n", "E\nF\n"))).toBe(
    [
      "--- /p/x",
      "+++ /p/x",
      "@@ -2,7 +2,8 @@",
      " b",
      " c",
      " d",
      "-e",
      "+E",
      "+F",
      " f",
      " g",
      " h",
      "",
    ].join("\n"),
  );
});

it("shows lines that are added at the end of others like them", () => {
  expect(unifiedDiff("/p/x", "a\na\n", "a\na\na\n")).toBe(
    "--- /p/x\n+++ /p/x\n@@ -1,2 +1,3 @@\n a\n a\n+a\n",
  );
});

it("shows a new file, an emptied one, and no change", () => {
  expect(unifiedDiff("/p/x", undefined, "a\n")).toBe("--- /dev/null\n+++ /p/x\n@@ -0,0 +1,1 @@\n+a\n");
  expect(unifiedDiff("/p/x", "a\n", "")).toBe("--- /p/x\n+++ /p/x\n@@ -1,1 +0,0 @@\n-a\n");
  expect(unifiedDiff("/p/x", "a\n", "a\n")).toBe("--- /p/x\n+++ /p/x\n@@ -1,1 +1,1 @@\n a\n");
});

it("says that a file is deleted", () => {
  expect(unifiedDiff("/p/x", "a\n", undefined)).toBe("--- /p/x\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-a\n");
});
