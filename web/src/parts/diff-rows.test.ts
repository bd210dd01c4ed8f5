import fc from "fast-check";
import { expect, test } from "vitest";
import { diffRows } from "./diff-rows.ts";
import { parseDiff } from "./parse-diff.ts";

test("a changed line stands beside what it was", () => {
  const { lines } = parseDiff("@@ -1,4 +1,4 @@\n a\n-b\n-c\n+B\n d\n+e");
  expect(diffRows(lines)).toEqual([
    { old: 0, new: 0 },
    { old: 1, new: 3 },
    { old: 2, new: undefined },
    { old: 4, new: 4 },
    { new: 5 },
  ]);
});

test("both sides keep their order and lose nothing", () => {
  const line = fc.constantFrom(" a", "-return a", "-b", "+return b", "+c", "@@ -1 +1 @@ x");
  fc.assert(
    fc.property(fc.array(line, { maxLength: 25 }), (text) => {
      const { lines } = parseDiff(`@@ -1,9 +1,9 @@\n a\n${text.join("\n")}`);
      const rows = diffRows(lines);
      const places = (without: string) =>
        lines.flatMap(({ kind }, index) => (kind === without ? [] : [index]));
      expect(rows.flatMap((row) => row.old ?? [])).toEqual(places("added"));
      expect(rows.flatMap((row) => row.new ?? [])).toEqual(places("removed"));
    }),
  );
});
