/** Changed files → `file_edit`, whose paths are absolute, also in the headers of the diff. */
import { resolve } from "node:path";
import type { EventOf } from "../../../core/event.ts";
import type { FileEditEvent } from "../event.ts";

/** What stands before the first hunk. */
const HEADER = /^(?:diff |index |--- |\+\+\+ |(?:old|new|deleted) (?:file )?mode |similarity |rename |copy )/;

/** A moved file is two edits: of where it was, and of where it is. */
export function fileEdits(event: EventOf<"file.edited">, cwd: string): FileEditEvent[] {
  const file = resolve(cwd, event.path);
  const diff = event.diff === undefined ? undefined : withAbsoluteHeaders(event.diff, file);
  const edit: FileEditEvent = { type: "file_edit", file, ...(diff !== undefined && { diff }) };
  if (event.from === undefined) return [edit];
  return [{ type: "file_edit", file: resolve(cwd, event.from) }, edit];
}

/** Undefined if there is nothing but headers. */
function withAbsoluteHeaders(diff: string, file: string): string | undefined {
  let start = 0;
  while (HEADER.test(diff.slice(start, start + 32))) {
    const end = diff.indexOf("\n", start);
    start = end < 0 ? diff.length : end + 1;
  }
  const hunks = diff.slice(start);
  return hunks === "" ? undefined : `--- a/${file}\n+++ b/${file}\n${hunks}`;
}
