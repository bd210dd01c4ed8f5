import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { SLEEP_MS, watchSleep } from "./watch-sleep.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("a page that runs, also slowly, has not slept; one whose clock jumped has", () => {
  const woken: number[] = [];
  const ended = new AbortController();
  watchSleep((ms) => woken.push(ms), ended.signal);
  vi.advanceTimersByTime(600_000);
  expect(woken).toEqual([]);
  // Timers of hidden tabs run once in a minute.
  vi.setSystemTime(Date.now() + 60_000);
  vi.advanceTimersByTime(5000);
  expect(woken).toEqual([]);
  vi.setSystemTime(Date.now() + 3_600_000);
  vi.advanceTimersByTime(5000);
  expect(woken).toEqual([3_605_000]);
  vi.advanceTimersByTime(600_000);
  expect(woken).toHaveLength(1);
  ended.abort();
  vi.setSystemTime(Date.now() + 10 * SLEEP_MS);
  vi.advanceTimersByTime(600_000);
  expect(woken).toHaveLength(1);
});
