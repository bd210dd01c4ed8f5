/** The figures of a run as a table for people, or as JSON for programs. */
import { availableParallelism } from "node:os";
import type { Figure } from "./benchmark.ts";

export interface Result {
  readonly benchmark: string;
  readonly figures: readonly Figure[];
}

const COLUMNS = ["benchmark", "figure", "value", "unit", "baseline", "", "ratio"];
/** Those that hold numbers. */
const ALIGNED_RIGHT = new Set([2, 5, 6]);

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

export function toJson(results: readonly Result[]): string {
  const { version, platform, arch } = process;
  const machine = { node: version, platform, arch, cores: availableParallelism() };
  const withRatios = results.map(({ benchmark, figures }) => ({
    benchmark,
    figures: figures.map((figure) => ({ ...figure, ratio: ratioOf(figure) })),
  }));
  return `${JSON.stringify({ machine, results: withRatios }, null, 2)}\n`;
}

function toRow(benchmark: string, figure: Figure): string[] {
  const { name, unit, value, baseline } = figure;
  const ratio = ratioOf(figure);
  return [
    benchmark,
    name,
    format(value),
    unit,
    baseline?.name ?? "",
    baseline ? format(baseline.value) : "",
    ratio === undefined ? "" : ratio.toFixed(2),
  ];
}

/** Undefined when there is nothing to compare with; a tiny run may take no measurable time. */
function ratioOf({ value, baseline }: Figure): number | undefined {
  if (!baseline || baseline.value === 0) return undefined;
  return value / baseline.value;
}

/** Three figures that mean something, whatever the size. */
function format(value: number): string {
  if (value >= 100) return String(Math.round(value));
  return value.toPrecision(3);
}
