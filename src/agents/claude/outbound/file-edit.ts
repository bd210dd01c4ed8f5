/** The change a tool made to a file, as a unified diff, from what Claude Code tells beside the result. */
import type { Draft } from "../../../core/draft.ts";
import { isRecord } from "../../../core/is-record.ts";

interface Hunk {
  readonly oldStart: number;
  readonly oldLines: number;
  readonly newStart: number;
  readonly newLines: number;
  readonly lines: readonly string[];
}

export function fileEdit(structured: unknown, call: string, parent: string | undefined): readonly Draft[] {
  if (!isRecord(structured)) return [];
  const { filePath: path, structuredPatch: hunks, type, content } = structured;
  if (typeof path !== "string" || !Array.isArray(hunks)) return [];
  const isNew = type === "create";
  const diff =
    isNew && typeof content === "string" ? creation(path, content) : change(path, hunks as readonly Hunk[]);
  return [
    {
      type: "file.edited",
      path,
      kind: isNew ? "created" : "changed",
      diff,
      call,
      parent,
    },
  ];
}

function creation(path: string, content: string): string | undefined {
  if (content === "") return undefined;
  const lines = content.replace(/\n$/, "").split("\n");
  const range = lines.length === 1 ? "1" : `1,${lines.length}`;
  const body = lines.map((line) => `+${line}\n`).join("");
  const end = content.endsWith("\n") ? "" : "\\ No newline at end of file\n";
  return `--- /dev/null\n+++ ${path}\n@@ -0,0 +${range} @@\n${body}${end}`;
}

function change(path: string, hunks: readonly Hunk[]): string | undefined {
  if (hunks.length === 0) return undefined;
  const body = hunks.map(
    ({ oldStart, oldLines, newStart, newLines, lines }) =>
      `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@\n${lines.join("\n")}\n`,
  );
  return `--- ${path}\n+++ ${path}\n${body.join("")}`;
}
