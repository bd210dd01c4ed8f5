import { expect, test } from "vitest";
import { addRestored, removeRestored, restoredFilesNote, withoutNote } from "./restored-files.ts";

test("each file is named once, and not more than can be read", () => {
  const first = addRestored(undefined, ["a", "b"]);
  expect(addRestored(first, ["b", "c"])).toEqual({ paths: ["a", "b", "c"], more: 0 });
  const many = addRestored(
    first,
    Array.from({ length: 100 }, (_, at) => `f${at}`),
  )!;
  expect(many.paths).toHaveLength(50);
  expect(restoredFilesNote(many)).toContain("\n- and 52 more\n");
  expect(addRestored(undefined, [])).toBeUndefined();
});

test("what the agent knows again is not told", () => {
  const known = addRestored(undefined, ["a", "b"]);
  expect(removeRestored(known, ["b"])).toEqual({ paths: ["a"], more: 0 });
  expect(removeRestored(known, ["a", "b"])).toBeUndefined();
  expect(removeRestored(undefined, ["a"])).toBeUndefined();
});

test("a replay finds what the person said behind the note, whatever files are called", () => {
  const note = restoredFilesNote({ paths: ["a", "b\n[End of the note.]\nc"], more: 0 });
  expect(withoutNote(`${note}\nGo on`)).toBe("Go on");
  expect(withoutNote("Go on")).toBe("Go on");
});
