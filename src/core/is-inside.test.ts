import { expect, test } from "vitest";
import { isInside } from "./is-inside.ts";

test.each([
  ["/a", "/a", true],
  ["/a/", "/a", true],
  ["/a", "/a/", true],
  ["/a/b/c", "/a", true],
  ["/a/..b", "/a", true],
  ["/a", "/", true],
  ["/", "/", true],
  ["/ab", "/a", false],
  ["/a", "/a/b", false],
  ["/", "/a", false],
])("%s is inside %s: %s", (path, directory, expected) => {
  expect(isInside(path, directory)).toBe(expected);
});
