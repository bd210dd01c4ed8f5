import fc from "fast-check";
import { expect, test } from "vitest";
import { mergeHistory, searchHistory } from "./prompt-history.ts";

test("what was asked twice is there once, where it was asked last; blank and huge ones are left out", () => {
  expect(mergeHistory(["c", "a", " ", "a"], ["b", "c", "x".repeat(5000)])).toEqual(["c", "a", "b"]);
});

test("merging is idempotent and keeps the order of the first list", () => {
  fc.assert(
    fc.property(fc.array(fc.string()), fc.array(fc.string()), (here, elsewhere) => {
      const merged = mergeHistory(here, elsewhere);
      expect(mergeHistory(merged)).toEqual(merged);
      expect(new Set(merged).size).toBe(merged.length);
      const own = mergeHistory(here);
      expect(merged.slice(0, own.length)).toEqual(own);
    }),
  );
});

test("a search finds what has all words, in any order and case", () => {
  const history = ["Fix the Login form", "write tests", "login tests"];
  expect(searchHistory(history, "TESTS login")).toEqual(["login tests"]);
  expect(searchHistory(history, "  ")).toEqual(history);
  expect(searchHistory(history, "nothing")).toEqual([]);
});
