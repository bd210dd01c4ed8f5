import { expect, test } from "vitest";
import { proposedChange } from "./proposed-changes.ts";

const path = "/home/dev/project/a.ts";

test("an edit shows the lines it takes out and puts in", () => {
  const input = {
    file_path: path,
    old_string: "let a = 1;\nlet b = 2;",
    new_string: "let a = 1;\nlet b = 3;",
  };
  expect(proposedChange("Edit", input)).toEqual({
    changes: [
      {
        path,
        kind: "changed",
        diff: `--- ${path}\n+++ ${path}\n@@ -1,2 +1,2 @@\n let a = 1;\n-let b = 2;\n+let b = 3;\n`,
        edits: [{ find: input.old_string, replace: input.new_string }],
      },
    ],
  });
});

test("an edit that is made wherever the text stands says so", () => {
  const input = { file_path: path, old_string: "a", new_string: "b", replace_all: true };
  const { changes, note } = proposedChange("Edit", input)!;
  expect(changes[0]?.edits).toEqual([{ find: "a", replace: "b", everywhere: true }]);
  expect(note).toContain("Every occurrence");
});

test("several edits are one diff of the file", () => {
  const edits = [
    { old_string: "a", new_string: "b" },
    { old_string: "c", new_string: "d" },
  ];
  const { changes } = proposedChange("MultiEdit", { file_path: path, edits })!;
  expect(changes).toHaveLength(1);
  expect(changes[0]?.diff?.match(/^@@/gm)).toHaveLength(2);
  expect(changes[0]?.diff?.match(/^---/gm)).toHaveLength(1);
});

test("a whole file shows all of it, and does not claim that it is new", () => {
  const { changes, note } = proposedChange("Write", { file_path: path, content: "one\ntwo\n" })!;
  expect(changes).toMatchObject([{ path, kind: "changed", diff: expect.stringContaining("+one\n+two\n") }]);
  expect(note).toContain("whole file");
});

test("a cell of a notebook shows its source", () => {
  const input = { notebook_path: path, cell_id: "c7", new_source: "print(1)" };
  expect(proposedChange("NotebookEdit", input)).toMatchObject({
    changes: [{ path, diff: expect.stringContaining("+print(1)") }],
    note: expect.stringContaining("c7"),
  });
  expect(proposedChange("NotebookEdit", { ...input, edit_mode: "delete" })).toMatchObject({
    changes: [{ path, kind: "changed" }],
    note: "This deletes cell c7.",
  });
});

test("what changes no file, or is shaped otherwise, shows no change", () => {
  expect(proposedChange("Read", { file_path: path })).toBeUndefined();
  expect(proposedChange("Edit", { path })).toBeUndefined();
  expect(proposedChange("MultiEdit", { file_path: path, edits: "none" })).toBeUndefined();
});
