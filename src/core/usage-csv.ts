/** Usage as comma-separated values: a line with the names of the columns, then one for each group. */
import type { UsageGroup, UsageKey } from "./usage-groups.ts";

const COUNTS = [
  "turns",
  "input",
  "cacheRead",
  "cacheWrite",
  "output",
  "reasoning",
  "tools",
  "asks",
  "allowed",
  "denied",
  "durationMs",
  "waitedMs",
  "cost",
  "playCost",
] as const;

/** A token count that nobody gave is empty, and so is play money where there is none. Lines end as RFC 4180 has it. */
export function usageCsv(by: readonly UsageKey[], groups: readonly UsageGroup[]): string {
  const lines = groups.map((group) => {
    const { usage, ...counts } = group;
    const amounts: Partial<Record<string, number>> = { ...usage, ...(counts as object) };
    return [...by.map((key) => cell(group[key] ?? "")), ...COUNTS.map((name) => amounts[name] ?? "")].join(
      ",",
    );
  });
  return [[...by, ...COUNTS].join(","), ...lines, ""].join("\r\n");
}

/** A spreadsheet takes what begins so for a formula, and would carry it out. */
const FORMULA = /^[=+\-@\t\r]/;

function cell(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
