/** Whether a change says what a file becomes, and not what it was: there may be none yet. Pure. */
import type { FileEdit } from "../chat/message-blocks.ts";

export function isWholeFile({ kind, diff = "" }: Pick<FileEdit, "kind" | "diff">): boolean {
  return kind === "changed" && /^@@ -0(?:,0)? /m.test(diff) && !/^@@ -[1-9]/m.test(diff);
}
