import fc from "fast-check";
import { expect, test } from "vitest";
import { countUntil, MAX_PAUSE_MS, replayTimes } from "./replay-times.ts";

test("events come as they did, but a pause is short", () => {
  const events = [{ at: 1000 }, { at: 1040 }, { at: 61_040 }, { at: 61_000 }];
  expect(replayTimes(events)).toEqual([0, 40, 40 + MAX_PAUSE_MS, 40 + MAX_PAUSE_MS]);
});

test("at the time of an event it has happened, and all before it", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 10_000 }), { maxLength: 50 }), (ats) => {
      const times = replayTimes(ats.map((at) => ({ at })));
      expect(countUntil(times, -1)).toBe(0);
      for (const [index, time] of times.entries()) {
        const count = countUntil(times, time);
        expect(count).toBeGreaterThan(index);
        expect(times[count] ?? Number.POSITIVE_INFINITY).toBeGreaterThan(time);
      }
    }),
  );
});
