import { expect, test } from "vitest";
import { formatAge } from "./format-age.ts";
import { formatTable } from "./format-table.ts";

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
