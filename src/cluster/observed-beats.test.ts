import { expect, it } from "vitest";
import { ObservedBeats } from "./observed-beats.ts";

const DEAD_MS = 10;

/** A node's beats as seen at these moments; the moments at which it counts as dead. */
function deadAt(reads: readonly [now: number, beat: number][]): number[] {
  const observed = new ObservedBeats(DEAD_MS);
  return reads.filter(([now, beat]) => observed.note([{ id: 1, beat }], now).length > 0).map(([now]) => now);
}

it("a node that beats lives", () => {
  expect(deadAt([0, 4, 8, 12, 16].map((now) => [now, now]))).toEqual([]);
});

it("a node whose beat stands still is dead after the deadline, counted from when it was first seen", () => {
  expect(deadAt([0, 4, 8, 12, 16].map((now) => [now, now < 4 ? 1 : 2]))).toEqual([16]);
});

it("nobody is dead after a gap in what was read: the database was away for all", () => {
  expect(
    deadAt([
      [0, 1],
      [4, 1],
      [30, 1],
      [34, 1],
      [38, 1],
      [41, 1],
    ]),
  ).toEqual([41]);
});

it("a node that is not listed any more is forgotten", () => {
  const observed = new ObservedBeats(DEAD_MS);
  observed.note([{ id: 1, beat: 1 }], 0);
  observed.note([], 4);
  expect(observed.note([{ id: 1, beat: 1 }], 8)).toEqual([]);
  expect(observed.note([{ id: 1, beat: 1 }], 12)).toEqual([]);
});

it("tells who stands still before it counts as dead, and not from before a gap", () => {
  const observed = new ObservedBeats(DEAD_MS);
  const beats = [
    { id: 1, beat: 1 },
    { id: 2, beat: 1 },
  ];
  expect(observed.isStill(1, 0)).toBe(false);
  observed.note(beats, 0);
  observed.note([beats[0]!, { id: 2, beat: 2 }], 4);
  observed.note([beats[0]!, { id: 2, beat: 3 }], 8);
  expect([1, 2].map((id) => observed.isStill(id, 7))).toEqual([true, false]);
  observed.note([beats[0]!, { id: 2, beat: 3 }], 30);
  expect([1, 2].map((id) => observed.isStill(id, 7))).toEqual([false, false]);
});
