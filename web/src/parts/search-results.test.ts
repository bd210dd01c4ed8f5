import { expect, test } from "vitest";
import { countFound, searchResults } from "./search-results.ts";

test("lines of grep stand under their file", () => {
  const found = searchResults("src/a.ts:3:const a = 1;\nsrc/a.ts:9:a: b\nREADME.md:1:# Atlas\n");
  expect(found).toEqual([
    {
      path: "src/a.ts",
      lines: [
        { number: 3, text: "const a = 1;" },
        { number: 9, text: "a: b" },
      ],
    },
    { path: "README.md", lines: [{ number: 1, text: "# Atlas" }] },
  ]);
  expect(countFound(found!)).toBe("3 matches in 2 files");
});

test("a dash in a name is part of it", () => {
  expect(searchResults("/tmp/a-b/src/map.ts:14:  const x-y")).toEqual([
    { path: "/tmp/a-b/src/map.ts", lines: [{ number: 14, text: "  const x-y" }] },
  ]);
});

test("names alone are a list of files", () => {
  expect(searchResults("src/a.ts\nsrc/b c.ts")?.map(({ path }) => path)).toEqual(["src/a.ts", "src/b c.ts"]);
  expect(countFound(searchResults("src/a.ts")!)).toBe("1 file");
});

test("anything else stays text", () => {
  for (const output of [
    "",
    "Found 3 files",
    "{ a: 1 }",
    "an error: it failed",
    "a.ts:1:x\nnothing else here was found",
  ])
    expect(searchResults(output)).toBeUndefined();
});
