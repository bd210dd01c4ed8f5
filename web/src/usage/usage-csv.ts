/** Usage as a file for a spreadsheet. */
import type { Amounts } from "./usage-groups.ts";

const COLUMNS = [
  "cost",
  "input",
  "output",
  "turns",
  "durationMs",
  "waitedMs",
  "tools",
  "asks",
  "allowed",
  "denied",
  "playCost",
] as const;

export interface CsvRow extends Amounts {
  day: string;
  name: string;
}

/** @example usageCsv("agent", [{ day: "2026-01-31", name: "claude", ...amounts }]) */
export function usageCsv(key: string, rows: readonly CsvRow[]): string {
  const lines = rows.map((row) => [row.day, row.name, ...COLUMNS.map((column) => String(row[column]))]);
  return [["day", key, ...COLUMNS], ...lines].map((line) => `${line.map(field).join(",")}\r\n`).join("");
}

/** A spreadsheet takes what begins so for a formula, and names come from agents and directories. */
const FORMULA = /^[=+\-@\t\r]/;

function field(value: string): string {
  const safe = FORMULA.test(value) && !/^-?\d/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
