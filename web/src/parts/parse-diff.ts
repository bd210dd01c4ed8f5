/** A unified diff as lines with their numbers. Tolerant: what it does not understand is shown as it is. Pure. */
import type { FileEdit } from "../chat/message-blocks.ts";

export interface DiffLine {
  kind: "added" | "removed" | "same" | "hunk";
  text: string;
  /** The number in the old and in the new file. */
  old?: number;
  new?: number;
}

export interface ParsedDiff {
  lines: DiffLine[];
  added: number;
  removed: number;
}

const HUNK = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@ ?(.*)$/;

/** A hunk whose place in the file is unknown: its lines have no numbers. */
const UNPLACED = /^@@ -0,[1-9]\d* \+0,/;

export function parseDiff(diff: string): ParsedDiff {
  const lines: DiffLine[] = [];
  let before = 0;
  let after = 0;
  let isPlaced = true;
  let isInHunk = false;
  for (const line of diff.replace(/\n$/, "").split("\n")) {
    const hunk = HUNK.exec(line);
    if (hunk) {
      isInHunk = true;
      isPlaced = !UNPLACED.test(line);
      before = Number(hunk[1]);
      after = Number(hunk[2]);
      lines.push({ kind: "hunk", text: hunk[3] ?? "" });
    } else if (!isInHunk || line.startsWith("\\")) {
      // The names of the files are shown by the card; a missing newline at the end is not worth a line.
    } else if (line.startsWith("+")) {
      lines.push({ kind: "added", text: line.slice(1), ...(isPlaced && { new: after++ }) });
    } else if (line.startsWith("-")) {
      lines.push({ kind: "removed", text: line.slice(1), ...(isPlaced && { old: before++ }) });
    } else if (line.startsWith("diff --git ")) {
      isInHunk = false;
    } else {
      lines.push({ kind: "same", text: line.slice(1), ...(isPlaced && { old: before++, new: after++ }) });
    }
  }
  return {
    lines: lines[0]?.kind === "hunk" && !lines[0].text ? lines.slice(1) : lines,
    added: lines.filter(({ kind }) => kind === "added").length,
    removed: lines.filter(({ kind }) => kind === "removed").length,
  };
}

/** Whether a change says what a file becomes, and not what it was: there may be none yet. */
export function isWholeFile({ kind, diff = "" }: Pick<FileEdit, "kind" | "diff">): boolean {
  return kind === "changed" && /^@@ -0(?:,0)? /m.test(diff) && !/^@@ -[1-9]/m.test(diff);
}
