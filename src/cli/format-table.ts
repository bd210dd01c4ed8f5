/** Tables for people. */

/**
 * Columns as wide as their content; the last one is cut where the terminal ends.
 *
 * @example formatTable(["ID", "TITLE"], [["s1", "Fix the tests"]], 80);
 */
export function formatTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  terminalWidth?: number,
): string {
  const cells = [header, ...rows.map((row) => row.map(printable))];
  const widths = header.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)));
  const lines = cells.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column]!))
      .join("  ")
      .trimEnd(),
  );
  return lines.map((line) => shorten(line, terminalWidth)).join("\n");
}

/** Agents and other people choose these texts, which must not move the cursor or colour the terminal. */
export function printable(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, " ").trim();
}

function shorten(line: string, width: number | undefined): string {
  return width === undefined || line.length <= width ? line : `${line.slice(0, width - 1)}…`;
}
