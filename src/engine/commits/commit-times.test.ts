import { expect, it } from "vitest";
import { CommitTimes } from "./commit-times.ts";

/** Commits that take so many milliseconds, with a pause after each. */
function committed(times: readonly number[], pauseMs = 0) {
  let now = 1000;
  const measured = new CommitTimes(() => now);
  for (const ms of times) {
    measured.began();
    now += ms;
    expect(measured.ended(true)).toBeCloseTo(ms);
    now += pauseMs;
  }
  return measured;
}

it("each commit is in the bucket of its time, and in all above", () => {
  const { histogram } = committed([0.25, 1, 1.5, 30, 20_000]);
  const { buckets, count, sum } = histogram;
  expect([0.0005, 0.001, 0.0025, 0.025, 0.05, 10].map((bound) => buckets.get(bound))).toEqual([
    1, 2, 3, 3, 4, 4,
  ]);
  expect(count).toBe(5);
  expect(sum).toBeCloseTo(20.03275);
});

it("saturation is 0 without commits, 1 while they follow one another, and between where there are pauses", () => {
  expect(committed([]).saturation).toBe(0);
  expect(committed(new Array(2000).fill(50)).saturation).toBeCloseTo(1, 3);
  expect(committed(new Array(20_000).fill(1), 4).saturation).toBeCloseTo(0.2, 2);
});

it("a commit that does not end counts while it runs, and in no bucket when it was given up", () => {
  let now = 0;
  const measured = new CommitTimes(() => now);
  measured.began();
  now = 100_000;
  expect(measured.saturation).toBeCloseTo(1, 3);
  measured.ended(false);
  expect(measured.histogram.count).toBe(0);
});
