import { expect, test } from "vitest";
import { excerpt, folderName, formatAge, formatCost, formatCount, formatDuration } from "./format.ts";

test("counts, money and times are short", () => {
  expect([0, 999, 1000, 1234, 99_949, 128_000, 1_200_000].map(formatCount)).toEqual([
    "0",
    "999",
    "1k",
    "1.2k",
    "99.9k",
    "128k",
    "1.2M",
  ]);
  expect([0, 0.00001, 0.0123, 0.5, 12].map(formatCost)).toEqual([
    "$0",
    "<$0.0001",
    "$0.0123",
    "$0.50",
    "$12.00",
  ]);
  expect([340, 61_000, 3_700_000].map(formatDuration)).toEqual(["0.3s", "1m 1s", "1h 1m"]);
  const now = 1_000_000_000;
  expect([0, 61_000, 3_700_000, 90_000_000].map((age) => formatAge(now - age, now))).toEqual([
    "now",
    "1m",
    "1h",
    "1d",
  ]);
});

test("names and excerpts", () => {
  expect(folderName("/home/me/project/")).toBe("project");
  expect(folderName("/")).toBe("/");
  expect(excerpt("  a\n b ", 9)).toBe("a b");
  expect(excerpt("abcdef", 4)).toBe("abc…");
});
