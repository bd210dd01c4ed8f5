/** Brings docs/performance.md up to date with a run: its tables between their marks, and the charts beside it. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Run } from "../harness/results.ts";
import { CHARTS, toChart } from "./charts.ts";
import { drawChart } from "./line-chart.ts";
import { figureTables, machineSentence, targetTable } from "./tables.ts";

const DOCUMENTS = join(import.meta.dirname, "../../docs");

export function writeReport(run: Run): void {
  const document = join(DOCUMENTS, "performance.md");
  writeFileSync(document, fillIn(readFileSync(document, "utf8"), run));
  for (const chart of CHARTS) {
    const drawn = toChart(run, chart);
    if (drawn) writeFileSync(join(DOCUMENTS, `images/performance-${chart.file}.svg`), drawChart(drawn));
  }
}

/** Replaces what stands between `<!-- NAME -->` and `<!-- /NAME -->`. */
export function fillIn(document: string, run: Run): string {
  const parts = { machine: machineSentence(run), targets: targetTable(run), figures: figureTables(run) };
  return Object.entries(parts).reduce(
    (text, [name, content]) =>
      text.replace(
        new RegExp(`(<!-- ${name} -->\n).*?(<!-- /${name} -->)`, "s"),
        (_, begin: string, end: string) => `${begin}${content}\n${end}`,
      ),
    document,
  );
}
