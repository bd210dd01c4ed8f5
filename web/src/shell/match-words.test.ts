import fc from "fast-check";
import { expect, test } from "vitest";
import { matchWords } from "./match-words.ts";

const names = (query: string, ...items: string[]) =>
  matchWords(
    items.map((name) => ({ name })),
    query,
    10,
  ).map(({ name }) => name);

test("the best match is first, and equals keep their order", () => {
  expect(names("use", "Because", "Reuse tiles", "Usage", "My user", "Users")).toEqual([
    "Users",
    "My user",
    "Because",
    "Reuse tiles",
  ]);
  expect(names("usa", "The usage", "Usage and cost", "Usable")).toEqual([
    "Usage and cost",
    "Usable",
    "The usage",
  ]);
});

test("every word counts, wherever it is, and so do the other words", () => {
  expect(names("tiles cache", "Cache the tiles", "Cache", "tiles")).toEqual(["Cache the tiles"]);
  expect(matchWords([{ name: "Usage", words: "money" }], "MONEY", 5)).toHaveLength(1);
});

test("nothing is found twice, nothing is invented, and never more than the limit", () => {
  fc.assert(
    fc.property(fc.array(fc.string()), fc.string(), fc.nat(5), (texts, query, limit) => {
      const items = texts.map((name) => ({ name }));
      const found = matchWords(items, query, limit);
      expect(found.length).toBeLessThanOrEqual(limit);
      expect(new Set(found).size).toBe(found.length);
      for (const item of found) expect(items).toContain(item);
    }),
  );
});
