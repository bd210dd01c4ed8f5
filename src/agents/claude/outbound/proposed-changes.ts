/**
 * What a call will do to a file if it is allowed, from its input alone. An edit tells the lines it replaces and not
 * where they stand, so the numbers of its hunks count from the first of them.
 */
import type { EventOf } from "../../../core/event.ts";
import { unifiedDiff } from "../../transport/unified-diff.ts";
import { isRecord, textField } from "./tool-display.ts";

type Fields = Readonly<Record<string, unknown>>;

interface ProposedChange {
  readonly changes: NonNullable<EventOf<"ask.opened">["changes"]>;
  /** What the diff does not show. */
  readonly note?: string;
}

/** Undefined for tools that change no file, and for inputs of another shape. */
export function proposedChange(tool: string, input: Fields): ProposedChange | undefined {
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

function edited(path: string, edits: readonly Fields[]): ProposedChange | undefined {
  const diffs = edits.map((edit) =>
    unifiedDiff(path, textField(edit, "old_string") ?? "", textField(edit, "new_string") ?? ""),
  );
  if (diffs.length === 0) return undefined;
  const isNew = edits.length === 1 && edits[0]?.old_string === "";
  const isRepeated = edits.some((edit) => edit.replace_all === true);
  return {
    changes: [{ path, kind: isNew ? "created" : "changed", diff: joinHunks(diffs) }],
    ...(isRepeated && { note: "Every occurrence in the file is replaced." }),
  };
}

/** Whether there is such a file is not told. */
function written(path: string, input: Fields): ProposedChange | undefined {
  const content = textField(input, "content");
  if (content === undefined) return undefined;
  return {
    changes: [{ path, kind: "changed", diff: unifiedDiff(path, "", content) }],
    note: "This becomes the whole file.",
  };
}

function notebookEdited(path: string, input: Fields): ProposedChange {
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
