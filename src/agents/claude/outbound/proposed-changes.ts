/**
 * What a call will do to a file if it is allowed, from its input alone. An edit tells the lines it replaces and not
 * where they stand, so the numbers of its hunks count from the first of them until the engine has read the file.
 */
import { isRecord } from "../../../core/is-record.ts";
import type { ProposedChange, TextEdit } from "../../../core/proposed-change.ts";
import { unifiedDiff } from "../../../core/unified-diff.ts";
import { textField } from "./tool-display.ts";

type Fields = Readonly<Record<string, unknown>>;

interface Proposal {
  readonly changes: ProposedChange[];
  /** What the diff does not show. */
  readonly note?: string;
}

/** Undefined for tools that change no file, and for inputs of another shape. */
export function proposedChange(tool: string, input: Fields): Proposal | undefined {
  const path = textField(input, "file_path") ?? textField(input, "notebook_path");
  if (path === undefined) return undefined;
  switch (tool) {
    case "Edit":
      return edited(path, [input]);
    case "MultiEdit":
      return Array.isArray(input.edits) ? edited(path, input.edits.filter(isRecord)) : undefined;
    case "Write":
      return written(path, input);
    case "NotebookEdit":
      return notebookEdited(path, input);
    default:
      return undefined;
  }
}

function edited(path: string, edits: readonly Fields[]): Proposal | undefined {
  const texts = edits.map(textEdit);
  const diffs = texts.map(({ find = "", replace }) => unifiedDiff(path, find, replace));
  if (diffs.length === 0) return undefined;
  const isNew = texts.length === 1 && texts[0]?.find === "";
  const isRepeated = texts.some(({ everywhere }) => everywhere);
  return {
    changes: [{ path, kind: isNew ? "created" : "changed", diff: joinHunks(diffs), edits: texts }],
    ...(isRepeated && { note: "Every occurrence in the file is replaced." }),
  };
}

function textEdit(edit: Fields): TextEdit {
  const find = textField(edit, "old_string") ?? "";
  const replace = textField(edit, "new_string") ?? "";
  return {
    find,
    replace,
    ...(edit.replace_all === true && { everywhere: true }),
    // Claude Code takes a line out whole.
    ...(replace === "" && !find.endsWith("\n") && { takesNewline: true }),
  };
}

/** Whether there is such a file is not told. */
function written(path: string, input: Fields): Proposal | undefined {
  const content = textField(input, "content");
  if (content === undefined) return undefined;
  return {
    changes: [{ path, kind: "changed", diff: unifiedDiff(path, "", content), edits: [{ replace: content }] }],
    note: "This becomes the whole file.",
  };
}

function notebookEdited(path: string, input: Fields): Proposal {
  const { cell_id: cell, edit_mode: mode = "replace" } = input;
  const source = mode === "delete" ? undefined : textField(input, "new_source");
  return {
    changes: [
      { path, kind: "changed", ...(source !== undefined && { diff: unifiedDiff(path, "", source) }) },
    ],
    note: `${NOTEBOOK_NOTES[String(mode)] ?? mode} ${cell ?? "of the notebook"}.`,
  };
}

const NOTEBOOK_NOTES: Readonly<Record<string, string>> = {
  replace: "This becomes the source of cell",
  insert: "This is inserted as a cell after cell",
  delete: "This deletes cell",
};

/** One diff of several, which name the same file. */
function joinHunks([first = "", ...rest]: readonly string[]): string {
  return first + rest.map((diff) => diff.slice(diff.indexOf("@@"))).join("");
}
