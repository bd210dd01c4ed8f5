/** The benchmarks still run. What they measure is nobody's business here: a shared machine cannot be held to a time. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { readArguments } from "../bench/arguments.ts";
import { BENCHMARKS } from "../bench/benchmarks.ts";
import type { Run } from "../bench/harness/results.ts";
import { CHARTS, toChart } from "../bench/report/charts.ts";
import { drawChart } from "../bench/report/line-chart.ts";
import { find } from "../bench/report/tables.ts";
import { TARGETS } from "../bench/report/targets.ts";
import { fillIn } from "../bench/report/write-report.ts";

const MAIN = join(import.meta.dirname, "../bench/main.ts");
const IMAGES = join(import.meta.dirname, "../docs/images");

it("every benchmark runs to its end, and the report finds in it what it tells", {
  timeout: 600_000,
}, async () => {
  // Rejects when it exits with anything but 0.
  const { stdout } = await promisify(execFile)(process.execPath, [MAIN, "--smoke", "--json"]);
  const run = JSON.parse(stdout) as Run;
  expect(run.results.map(({ benchmark }) => benchmark)).toEqual(BENCHMARKS.map(({ name }) => name));
  // What is not a number is null in JSON.
  const unmeasured = run.results.flatMap(({ figures }) => figures.filter(({ value }) => value === null));
  expect(unmeasured).toEqual([]);
  // Without a browser the page is not measured here; `test/browser/bench-page.test.ts` knows its figures.
  const found = TARGETS.filter((target) => find(run, target));
  expect(found).toEqual(TARGETS.filter(({ benchmark }) => benchmark !== "page"));
  for (const chart of CHARTS) {
    const drawn = toChart(run, chart);
    expect(drawn?.lines.map(({ name }) => name)).toContain(
      chart.curves.length === 1 ? "ours" : chart.curves[0],
    );
    expect(drawChart(drawn!)).not.toContain("NaN");
  }
  const filled = fillIn(
    "<!-- targets -->\n<!-- /targets -->\n<!-- figures -->\nold\n<!-- /figures -->\n",
    run,
  );
  expect(filled).toContain("| stalled reader: lost | none | 0.00 % |");
  expect(filled).toContain("| 1 session: rate |");
  expect(filled).not.toContain("old");
});

it("two checkouts are measured side by side", async () => {
  const checkout = resolve(import.meta.dirname, "..");
  const args = [MAIN, "peer-latency", "--against", checkout, "--rounds", "2", "--smoke", "--json"];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const [result, ...others] = (JSON.parse(stdout) as Run).results;
  expect(others).toEqual([]);
  const compared = result!.figures.map(({ name, baseline }) => [name, baseline?.name]);
  expect(compared).toContainEqual(["prompt to first event, p50", checkout]);
});

it.each([
  [
    ["burst", "--against", "."],
    "Only benchmarks that begin with peer- run against another checkout, not burst.",
  ],
  [["--against", ".", "--save"], "What is measured against another checkout is not kept."],
  [["--against", "bench"], "is no checkout of Interlingua"],
  [["--rounds", "0"], "--rounds is a number from 1 on, not 0."],
  [["nothing"], "There is no benchmark nothing."],
])("%j is refused", (args, reason) => {
  expect(() => readArguments(args)).toThrow(reason);
});

it("every chart of the report is in the repository", () => {
  expect(CHARTS.filter(({ file }) => !existsSync(join(IMAGES, `performance-${file}.svg`)))).toEqual([]);
});
