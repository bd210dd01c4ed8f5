/** The tables of docs/performance.md as Markdown. */
import type { Figure } from "../harness/benchmark.ts";
import { format, type Run, ratioOf } from "../harness/results.ts";
import { TARGETS, type Target } from "./targets.ts";

export function machineSentence({ version, date, machine, results }: Run): string {
  const { cores, processor, memoryGB, node, platform, fsyncMs } = machine;
  return `Version ${version}, ${date}: ${cores} cores (${processor}), ${memoryGB} GB, ${platform}, Node ${node}; a page is durable on its disk after ${format(fsyncMs)} ms (p50). ${origin(results)}`;
}

function origin(results: Run["results"]): string {
  const [first, ...rest] = results;
  const isOneRun = first?.run !== undefined && rest.every(({ run }) => run === first.run);
  if (isOneRun) return "All figures are of one run.";
  return "**The figures are put together from several runs: compare only what stands in one row.** `npm run bench -- --save` measures all of them at once.";
}

export function targetTable(run: Run): string {
  const rows = TARGETS.map((target) => {
    const figure = find(run, target);
    if (!figure) return [target.text, wanted(target), "not measured", "", "", ""];
    const { value, unit, baseline } = figure;
    return [
      target.text,
      wanted(target, unit),
      `${format(value)} ${unit}`,
      baseline ? `${format(baseline.value)} ${unit}` : "",
      ratio(figure),
      verdict(target, figure),
    ];
  });
  return table(["", "target", "ours", "compared with", "ratio", "reached"], rows);
}

/** Every figure of the run, a table for each benchmark. */
export function figureTables({ results }: Run): string {
  return results
    .map(({ benchmark, figures }) => {
      const compared = figures.find(({ baseline }) => baseline)?.baseline?.name ?? "compared with";
      const rows = figures.map((figure) => [
        figure.name,
        `${format(figure.value)} ${figure.unit}`,
        figure.baseline ? format(figure.baseline.value) : "",
        ratio(figure),
        figure.ceiling ? format(figure.ceiling.value) : "",
      ]);
      const heads = [`\`${benchmark}\``, "ours", compared, "ratio", "without a log"];
      // What nobody has a figure in is left out.
      const isUsed = heads.map((_, column) => column < 2 || rows.some((row) => row[column] !== ""));
      const cut = (cells: readonly string[]) => cells.filter((_, column) => isUsed[column]);
      return table(cut(heads), rows.map(cut));
    })
    .join("\n\n");
}

export function find(
  run: Run,
  { benchmark, figure }: Pick<Target, "benchmark" | "figure">,
): Figure | undefined {
  const result = run.results.find((one) => one.benchmark === benchmark);
  return result?.figures.find(({ name }) => name === figure);
}

function wanted({ of, atLeast, atMost }: Target, unit = ""): string {
  if (atMost === 0) return "none";
  const bound = atLeast === undefined ? `at most ${atMost}` : `at least ${atLeast}`;
  return of === "ratio" ? `${bound} ×` : `${bound} ${unit}`.trim();
}

function verdict({ of, atLeast, atMost }: Target, figure: Figure): string {
  const reached = of === "ratio" ? ratioOf(figure) : figure.value;
  if (reached === undefined) return "not compared";
  const isReached = atLeast === undefined ? reached <= atMost! : reached >= atLeast;
  if (isReached) return "yes";
  const factor = atLeast === undefined ? reached / atMost! : atLeast / reached;
  return Number.isFinite(factor) ? `no, by a factor of ${factor.toFixed(1)}` : "no";
}

function ratio(figure: Figure): string {
  return ratioOf(figure)?.toFixed(2) ?? "";
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [
    line(heads),
    line(heads.map((_, column) => (column === 0 ? "---" : "---:"))),
    ...rows.map(line),
  ].join("\n");
}
