import { expect, test } from "vitest";
import { RefillingBucket } from "./refilling-bucket.ts";

test("a burst passes, then as many as flow in", () => {
  let now = 0;
  const limit = new RefillingBucket(10, 3, () => now);
  expect([1, 2, 3, 4].map(() => limit.take("a") === 0)).toEqual([true, true, true, false]);
  expect(limit.wait("a")).toBeCloseTo(0.1);
  expect(limit.take("b")).toBe(0);
  now = 100;
  expect(limit.wait("a")).toBe(0);
  expect([limit.take("a"), limit.take("a") > 0]).toEqual([0, true]);
  now = 60_000;
  expect([1, 2, 3, 4].map(() => limit.take("a") === 0)).toEqual([true, true, true, false]);
});

test("who has not come for long is forgotten before there are too many to remember", () => {
  let now = 0;
  const limit = new RefillingBucket(1, 1, () => now);
  for (let n = 0; n < 10_000; n += 1) limit.take(`old ${n}`);
  now = 10_000;
  limit.take("new");
  expect(limit.size).toBe(1);
});
