/** Files that changed, or would, for people. */
import type { FileChange } from "../sdk/types.ts";
import { formatTable } from "./format-table.ts";
import { harmless, stylist } from "./run/style.ts";

export function changesTable(changed: readonly FileChange[], terminalWidth: number | undefined): string {
  return formatTable(
    ["STATUS", "ADDED", "REMOVED", "PATH"],
    changed.map(({ status, additions, deletions, path }) => [
      status,
      String(additions),
      String(deletions),
      path,
    ]),
    terminalWidth,
    "wrap",
  );
}

/** As git prints it, coloured at a terminal. */
export function diffText(changed: readonly FileChange[], stream: NodeJS.WriteStream): string {
  const style = stylist(stream);
  const lineText = (line: string, isHead: boolean) => {
    if (isHead) return style("bold", line);
    if (line.startsWith("@@")) return style("cyan", line);
    if (line.startsWith("+")) return style("green", line);
    return line.startsWith("-") ? style("red", line) : line;
  };
  return changed
    .map((change) => {
      const lines = linesOf(change);
      const begin = lines.findIndex((line) => line.startsWith("@@"));
      return lines.map((line, at) => lineText(line, begin < 0 || at < begin)).join("\n");
    })
    .join("\n");
}

function linesOf({ path, status, diff, binary }: FileChange): string[] {
  if (diff !== undefined) return harmless(diff.replace(/\n$/, "")).split("\n");
  return [`${status}: ${harmless(path)} (${binary ? "binary" : "too large to be shown"})`];
}
