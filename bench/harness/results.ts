/** The figures of a run as a table for people, or as JSON for programs. */
import type { Figure } from "./benchmark.ts";
import type { Machine } from "./machine-facts.ts";

export interface Result {
  readonly benchmark: string;
  /** When its run began: what is kept may come from several, and then not all of it can be compared. */
  readonly run?: string;
  readonly figures: readonly Figure[];
}

/** A run as it is kept. */
export interface Run {
  readonly version: string;
  readonly date: string;
  readonly machine: Machine;
  readonly results: readonly Result[];
}

const COLUMNS = [
  "benchmark",
  "figure",
  "value",
  "unit",
  "baseline",
  "",
  "ratio",
  "half of rounds",
  "ceiling",
];
/** Those that hold numbers. */
const ALIGNED_RIGHT = new Set([2, 5, 6, 7, 8]);

export function toTable(results: readonly Result[]): string {
  const rows = results.flatMap(({ benchmark, figures }) => figures.map((figure) => toRow(benchmark, figure)));
  const widths = COLUMNS.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]!.length)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, column) =>
        ALIGNED_RIGHT.has(column) ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!),
      )
      .join("  ")
      .trimEnd();
  return `${[line(COLUMNS), ...rows.map(line)].join("\n")}\n`;
}

export function toJson(run: Run): string {
  const results = run.results.map(({ figures, ...rest }) => ({
    ...rest,
    figures: figures.map((figure) => ({ ...figure, ratio: ratioOf(figure) })),
  }));
  return `${JSON.stringify({ ...run, results }, rounded, 2)}\n`;
}

/** No figure is exact to more than four digits. */
function rounded(_key: string, value: unknown): unknown {
  if (typeof value !== "number" || Number.isInteger(value)) return value;
  return Number(value.toPrecision(4));
}

function toRow(benchmark: string, figure: Figure): string[] {
  const { name, unit, value, baseline, ceiling } = figure;
  const ratio = ratioOf(figure);
  return [
    benchmark,
    name,
    format(value),
    unit,
    baseline?.name ?? "",
    baseline ? format(baseline.value) : "",
    ratio === undefined ? "" : ratio.toFixed(2),
    baseline?.ratio ? `${baseline.ratio.from.toFixed(2)}–${baseline.ratio.to.toFixed(2)}` : "",
    ceiling ? format(ceiling.value) : "",
  ];
}

/** Undefined when there is nothing to compare with; a tiny run may take no measurable time. */
export function ratioOf({ value, baseline }: Figure): number | undefined {
  if (!baseline || baseline.value === 0) return undefined;
  return baseline.ratio?.median ?? value / baseline.value;
}

/** Three figures that mean something, whatever the size. */
export function format(value: number): string {
  if (value >= 100) return String(Math.round(value));
  return value.toPrecision(3);
}
