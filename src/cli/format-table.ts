/** Tables for people. */
import { cutToWidth, padToWidth, widthOf } from "./text-width.ts";
import { wrapText } from "./word-wrap.ts";

/** Narrower than this, a wrapped column is hard to read. */
const LEAST_WRAPPED = 30;
const BELOW = "    ";

/**
 * Columns as wide as their content. Where the terminal ends, the last one is cut; or, with `wrap`, goes on in the next
 * line, so that all of it can be read. Where there is no room for the others either, each row becomes a block with a line
 * for each column.
 *
 * @example formatTable(["ID", "TITLE"], [["s1", "Fix the tests"]], 80);
 */
export function formatTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  terminalWidth?: number,
  longLines: "cut" | "wrap" = "cut",
): string {
  const cells = [header, ...rows.map((row) => row.map(printable))];
  const widths = widthsOf(cells);
  const lines = cells.map((row) => joinCells(row, widths));
  if (terminalWidth === undefined || lines.every((line) => widthOf(line) <= terminalWidth))
    return lines.join("\n");
  if (longLines === "cut") return lines.map((line) => cutToWidth(line, terminalWidth)).join("\n");
  const indent = widths.slice(0, -1).reduce((sum, width) => sum + width + 2, 0);
  if (indent - 2 > terminalWidth) return toBlocks(cells, terminalWidth);
  return cells.flatMap((row) => wrapLast(row, widths, { indent, terminalWidth })).join("\n");
}

/** Whether all of it can be seen. */
export function fitsTerminal(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  terminalWidth: number | undefined,
): boolean {
  const widths = widthsOf([header, ...rows]);
  const width = widths.reduce((sum, column) => sum + column + 2, -2);
  return terminalWidth === undefined || width <= terminalWidth;
}

/** Agents and other people choose these texts, which must not move the cursor or colour the terminal. */
export function printable(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, " ").trim();
}

function widthsOf(cells: readonly (readonly string[])[]): number[] {
  return cells[0]!.map((_, column) => Math.max(...cells.map((row) => widthOf(row[column]!))));
}

function joinCells(row: readonly string[], widths: readonly number[]): string {
  return row
    .map((cell, column) => padToWidth(cell, widths[column]!))
    .join("  ")
    .trimEnd();
}

/** Beside the other columns, or below them where these leave too little room. */
function wrapLast(
  row: readonly string[],
  widths: readonly number[],
  { indent, terminalWidth }: { indent: number; terminalWidth: number },
): string[] {
  const others = row.slice(0, -1);
  const last = row.at(-1)!;
  const line = joinCells(row, widths);
  if (widthOf(line) <= terminalWidth) return [line];
  const room = terminalWidth - indent;
  if (room < LEAST_WRAPPED)
    return [
      joinCells(others, widths),
      ...wrapText(last, terminalWidth - BELOW.length)
        .split("\n")
        .map((part) => BELOW + part),
    ];
  const [first = "", ...rest] = wrapText(last, room).split("\n");
  return [joinCells([...others, first], widths), ...rest.map((part) => " ".repeat(indent) + part)];
}

/** Values that are too long go on below their beginning. */
function toBlocks([header = [], ...rows]: readonly (readonly string[])[], terminalWidth: number): string {
  const left = Math.max(...header.map(widthOf)) + 2;
  const room = Math.max(LEAST_WRAPPED, terminalWidth - left);
  const blocks = rows.map((row) =>
    row.map((cell, column) => {
      const [first = "", ...rest] = wrapText(cell, room).split("\n");
      const lines = [
        padToWidth(header[column]!, left) + first,
        ...rest.map((part) => " ".repeat(left) + part),
      ];
      return lines.join("\n").trimEnd();
    }),
  );
  return blocks.map((lines) => lines.join("\n")).join("\n\n");
}
