import { expect, test } from "vitest";
import type { Checkpoint } from "../api/types.ts";
import { timeLine } from "./time-line.ts";

function checkpoints(...given: Partial<Checkpoint>[]): Checkpoint[] {
  return given.map((each, index) => ({
    id: `c${index}`,
    at: index,
    seq: index + 1,
    kind: "created",
    ...each,
  }));
}

test("a turn is one entry, from before its prompt to its end, and the newest comes first", () => {
  const entries = timeLine(
    checkpoints(
      {},
      { kind: "before", message: "m1", turn: "t1" },
      { kind: "after", turn: "t1" },
      { kind: "before", message: "m2", turn: "t2" },
    ),
  );
  expect(entries).toEqual([
    { key: "4", at: 3, kind: "turn", turn: "t2", message: "m2", checkpoint: "c3", isRunning: true },
    { key: "2", at: 1, kind: "turn", turn: "t1", message: "m1", checkpoint: "c1", isRunning: false },
    { key: "1", at: 0, kind: "created", checkpoint: "c0" },
  ]);
});

test("a turn that the agent began goes back to the end of what was before", () => {
  const [entry] = timeLine(checkpoints({}, { kind: "after", turn: "t1" }, { kind: "after", turn: "t2" }));
  expect(entry).toEqual({
    key: "3",
    at: 2,
    kind: "turn",
    turn: "t2",
    message: undefined,
    checkpoint: "c1",
    isRunning: false,
  });
});

test("a restore is undone by the checkpoint it began with; that at its end is no entry", () => {
  const entries = timeLine(checkpoints({}, { kind: "restore" }, { kind: "after" }, { kind: "approved" }));
  expect(entries.map(({ kind, checkpoint }) => [kind, checkpoint])).toEqual([
    ["approved", "c3"],
    ["restore", "c1"],
    ["created", "c0"],
  ]);
});

test("an approval in the middle of a turn leaves the turn one entry", () => {
  const entries = timeLine(
    checkpoints(
      {},
      { kind: "before", turn: "t1" },
      { kind: "approved", turn: "t1" },
      { kind: "after", turn: "t1" },
    ),
  );
  expect(entries.map(({ kind }) => kind)).toEqual(["approved", "turn", "created"]);
});

test("nothing goes back to a dropped checkpoint", () => {
  const entries = timeLine(
    checkpoints(
      { dropped: true },
      { kind: "before", turn: "t1", dropped: true },
      { kind: "after", turn: "t1" },
    ),
  );
  expect(entries.map(({ checkpoint }) => checkpoint)).toEqual([undefined, undefined]);
});
