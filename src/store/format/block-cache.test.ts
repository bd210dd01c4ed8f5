import { expect, it } from "vitest";
import { BlockCache } from "./block-cache.ts";

const lines = (length: number) => ({
  session: 1,
  first: 1,
  raw_first: 1,
  checksum: length,
  lines: { events: ["x".repeat(length)], raws: [] },
});

it("stays within its bytes and forgets what was used longest ago", () => {
  const cache = new BlockCache(10_000);
  for (const block of [1, 2, 3, 4]) cache.set(block, lines(1000));
  expect(cache.get(1)).toEqual(lines(1000));
  cache.set(5, lines(1000));
  expect(cache.bytes).toBeLessThanOrEqual(10_000);
  expect(cache.get(2)).toBeUndefined();
  expect(cache.get(1)).toBeDefined();
  expect(cache.get(5)).toBeDefined();
});

it("does not take a block that would push out many others", () => {
  const cache = new BlockCache(10_000);
  cache.set(1, lines(1000));
  cache.set(2, lines(4000));
  expect(cache.get(1)).toBeDefined();
  expect(cache.get(2)).toBeUndefined();
});

it("takes a block instead of another one under the same id", () => {
  const cache = new BlockCache(10_000);
  cache.set(1, lines(1000));
  cache.set(1, lines(500));
  expect(cache.get(1)).toEqual(lines(500));
  expect(cache.bytes).toBeLessThan(2000);
});
