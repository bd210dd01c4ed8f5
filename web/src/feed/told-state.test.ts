import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ToldState } from "./told-state.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function watched() {
  const state = new ToldState(0);
  const told: number[] = [];
  state.subscribe(() => told.push(state.getTold()));
  return { state, told };
}

test("a thousand changes that are not urgent are told as one", () => {
  const { state, told } = watched();
  for (let value = 1; value <= 1000; value += 1) state.setSoon(value);
  expect(state.latest).toBe(1000);
  expect(state.getTold()).toBe(0);
  expect(told).toEqual([]);
  vi.runAllTimers();
  expect(told).toEqual([1000]);
});

test("one that is urgent takes along what waits, and nothing is told twice", () => {
  const { state, told } = watched();
  state.setSoon(1);
  state.set(state.latest + 1);
  expect(told).toEqual([2]);
  vi.runAllTimers();
  expect(told).toEqual([2]);
});

test("a stream of changes that never pauses is told again and again", () => {
  const { state, told } = watched();
  for (let value = 1; value <= 100; value += 1) {
    state.setSoon(value);
    vi.advanceTimersByTime(30);
  }
  expect(told.length).toBeGreaterThan(10);
  expect(told.length).toBeLessThan(50);
});

test("after its end nothing is told", () => {
  const { state, told } = watched();
  state.setSoon(1);
  state.close();
  vi.runAllTimers();
  expect(told).toEqual([]);
});
