import { expect, test } from "vitest";
import type { Checkpoint } from "../api/types.ts";
import { undoneBy } from "./undone-by.ts";

function checkpoints(...given: Partial<Checkpoint>[]): Checkpoint[] {
  return given.map((each, index) => ({ id: `c${index}`, at: index, seq: index, kind: "created", ...each }));
}

const restored = (to: string, ...paths: string[]) => ({ to, files: paths.length, paths });
const turn = (name: string): Partial<Checkpoint>[] => [
  { kind: "before", turn: name },
  { kind: "after", turn: name },
];

test("what went back is undone, what stayed is not", () => {
  const log = checkpoints(...turn("t1"), ...turn("t2"), { kind: "restore", restored: restored("c2", "a") });
  expect(undoneBy(log, "t2", "a")?.id).toBe("c4");
  expect(undoneBy(log, "t2", "b")).toBeUndefined();
  expect(undoneBy(log, "t1", "a")).toBeUndefined();
  expect(undoneBy(log, "t3", "a")).toBeUndefined();
});

test("going further back undoes the turns before, too", () => {
  const log = checkpoints(...turn("t1"), ...turn("t2"), { kind: "restore", restored: restored("c0", "a") });
  expect([undoneBy(log, "t1", "a")?.id, undoneBy(log, "t2", "a")?.id]).toEqual(["c4", "c4"]);
});

test("what was brought back stands, and can be undone again", () => {
  const undo: Partial<Checkpoint> = { kind: "restore", restored: restored("c0", "a") };
  const back: Partial<Checkpoint> = { kind: "restore", restored: restored("c2", "a") };
  const log = checkpoints(...turn("t1"), undo, back, undo);
  expect(undoneBy(log.slice(0, 3), "t1", "a")?.id).toBe("c2");
  expect(undoneBy(log.slice(0, 4), "t1", "a")).toBeUndefined();
  expect(undoneBy(log, "t1", "a")?.id).toBe("c4");
});

test("a turn after the restore is not undone by it, and of many files any may have gone back", () => {
  const log = checkpoints(
    ...turn("t1"),
    { kind: "restore", restored: { to: "c0", files: 200, paths: ["x"] } },
    ...turn("t2"),
  );
  expect(undoneBy(log, "t2", "a")).toBeUndefined();
  expect(undoneBy(log, "t1", "a")?.id).toBe("c2");
});
