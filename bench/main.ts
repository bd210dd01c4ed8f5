/** `npm run bench`: runs all benchmarks or those that are named, prints what they measured, and keeps it where asked to. */
import { parseArgs } from "node:util";
import { BENCHMARKS } from "./benchmarks.ts";
import { FULL, SMOKE } from "./harness/benchmark.ts";
import { keep, packageVersion, readKept } from "./harness/kept-results.ts";
import { machineFacts } from "./harness/machine-facts.ts";
import { type Result, toJson, toTable } from "./harness/results.ts";
import { fieldNote } from "./peers/field.ts";
import { writeReport } from "./report/write-report.ts";

const USAGE = `usage: npm run bench -- [NAME…] [--json] [--save] [--smoke]

${BENCHMARKS.map(({ name, summary }) => `  ${name.padEnd(15)}${summary}`).join("\n")}

  A name stands for all that begin with it: peer for the whole comparison.

  --json    print the figures as JSON
  --save    keep them in bench/results/ under the version of the package, in the place of older ones of the same
            benchmarks, and bring docs/performance.md up to date
  --smoke   run with tiny sizes, only to see that everything works
`;

const { values: flags, positionals: names } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: "boolean" },
    save: { type: "boolean" },
    smoke: { type: "boolean" },
    help: { type: "boolean" },
  },
});
const isNamed = (benchmark: string, name: string) => benchmark === name || benchmark.startsWith(`${name}-`);
const unknown = names.filter((name) => !BENCHMARKS.some((benchmark) => isNamed(benchmark.name, name)));
const chosen = BENCHMARKS.filter(
  (benchmark) => names.length === 0 || names.some((name) => isNamed(benchmark.name, name)),
);

if (flags.help) {
  process.stdout.write(USAGE);
} else if (unknown.length > 0) {
  process.stderr.write(`There is no benchmark ${unknown.join(", ")}.\n\n${USAGE}`);
  process.exitCode = 2;
} else {
  const results: Result[] = [];
  const note = fieldNote();
  if (note && chosen.some(({ name }) => name.startsWith("peer-"))) process.stderr.write(`${note}\n`);
  const began = new Date().toISOString();
  const head = { version: packageVersion(), date: began.slice(0, 10), machine: await machineFacts() };
  for (const { name, summary, run } of chosen) {
    process.stderr.write(`${name}: ${summary} …\n`);
    results.push({ benchmark: name, run: began, figures: await run(flags.smoke ? SMOKE : FULL) });
    // At once: a later one may fail.
    if (flags.save) keep({ ...head, results });
  }
  const run = { ...head, results };
  if (flags.save) writeReport(readKept(run.version) ?? run);
  process.stdout.write(flags.json ? toJson(run) : toTable(results));
}
