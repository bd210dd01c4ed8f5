/** Codex's file changes as ours: with a unified diff, whatever was done to the file. */
import type { EventOf } from "../../../core/event.ts";
import type { WireChange } from "../wire.ts";

type FileChange = Pick<EventOf<"file.edited">, "path" | "kind" | "diff" | "from">;

const KINDS = { add: "created", delete: "deleted", update: "changed" } as const;

export function toFileChange(change: WireChange): FileChange {
  const { path, kind } = change;
  const movedTo = kind.move_path ?? undefined;
  if (movedTo !== undefined) return { path: movedTo, kind: "moved", diff: unifiedDiff(change), from: path };
  return { path, kind: KINDS[kind.type] ?? "changed", diff: unifiedDiff(change) };
}

/** Codex gives the bare content of a new or deleted file, and hunks without a head of a changed one. */
function unifiedDiff({ path, kind, diff }: WireChange): string {
  if (kind.type === "add") return wholeFile("/dev/null", path, "+", diff);
  if (kind.type === "delete") return wholeFile(path, "/dev/null", "-", diff);
  const hunks = kind.move_path ? diff.slice(0, endOfHunks(diff)) : diff;
  return `--- ${path}\n+++ ${kind.move_path ?? path}\n${hunks}`;
}

function wholeFile(from: string, to: string, sign: "+" | "-", content: string): string {
  const lines = content === "" ? [] : content.replace(/\n$/, "").split("\n");
  const span = lines.length === 1 ? "1" : `1,${lines.length}`;
  const [before, after] = sign === "+" ? ["0,0", span] : [span, "0,0"];
  const head = `--- ${from}\n+++ ${to}\n@@ -${before} +${after} @@\n`;
  return head + lines.map((line) => `${sign}${line}\n`).join("");
}

/** Under the hunks of a moved file Codex writes where it went. */
function endOfHunks(diff: string): number {
  const note = diff.lastIndexOf("\n\nMoved to: ");
  return note < 0 ? diff.length : note;
}
