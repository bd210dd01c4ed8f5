import { expect, test } from "vitest";
import { formatAge } from "./format-age.ts";
import { formatTable } from "./format-table.ts";
import { wrapText } from "./word-wrap.ts";

test("columns are as wide as what is in them", () => {
  const table = formatTable(
    ["ID", "AGENT", "TITLE"],
    [
      ["s1", "mock", "Fix the tests"],
      ["session-2", "claude", ""],
    ],
  );
  expect(table).toBe(
    ["ID         AGENT   TITLE", "s1         mock    Fix the tests", "session-2  claude"].join("\n"),
  );
});

test("lines end where the terminal does", () => {
  expect(formatTable(["TITLE"], [["a long title"]], 8)).toBe("TITLE\na long …");
});

test("a wrapped column can be read to its end", () => {
  const rows = [["s1", "a text of several words that is long"]];
  expect(formatTable(["ID", "SAYS"], rows, 36, "wrap")).toBe(
    ["ID  SAYS", "s1  a text of several words that is", "    long"].join("\n"),
  );
});

test("a wrapped column stands below the others where these leave too little room", () => {
  const rows = [["a-rather-long-name", "one two three four"]];
  expect(formatTable(["NAME", "REMEDY"], rows, 26, "wrap")).toBe(
    ["NAME                REMEDY", "a-rather-long-name", "    one two three four"].join("\n"),
  );
});

test("a row whose other columns are wider than the terminal becomes a block that is no wider", () => {
  const rows = [
    ["ses_0123456789abcdef", "a-long-name-of-an-ask", "Run all of the tests of this project now"],
    ["s2", "a2", "Short"],
  ];
  expect(formatTable(["SESSION", "ASK", "TITLE"], rows, 40, "wrap")).toBe(
    [
      "SESSION  ses_0123456789abcdef",
      "ASK      a-long-name-of-an-ask",
      "TITLE    Run all of the tests of this",
      "         project now",
      "",
      "SESSION  s2",
      "ASK      a2",
      "TITLE    Short",
    ].join("\n"),
  );
});

test("columns beside wide characters stand below each other, and are cut where the terminal ends", () => {
  const rows = [
    ["日本", "one"],
    ["s1", "テスト"],
  ];
  expect(formatTable(["ID", "TITLE"], rows)).toBe("ID    TITLE\n日本  one\ns1    テスト");
  expect(formatTable(["TITLE"], [["日本語のテキスト"]], 8)).toBe("TITLE\n日本語…");
});

test("a command between backticks, and a long word, can be copied as a whole", () => {
  expect(wrapText("Run `a/long/path auth login` now", 12).split("\n")).toEqual([
    "Run",
    "`a/long/path auth login`",
    "now",
  ]);
  expect(wrapText("see /a/long/path", 6).split("\n")).toEqual(["see", "/a/long/path"]);
});

test("what an agent wrote cannot steer the terminal", () => {
  expect(formatTable(["TITLE"], [["\u001b[31mred\nand\tmore\u009b"]])).toBe("TITLE\n[31mred and more");
});

test.each([
  [0, "0s"],
  [59, "59s"],
  [60, "1m"],
  [7_199, "1h"],
  [200_000, "2d"],
])("%i seconds ago is %s", (seconds, expected) => {
  expect(formatAge(0, seconds * 1000)).toBe(expected);
});
