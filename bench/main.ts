/** `npm run bench`: runs all benchmarks or those that are named, prints what they measured, and keeps it where asked to. */
import { resolve } from "node:path";
import { type BenchArguments, readArguments, USAGE } from "./arguments.ts";
import { isBuilt } from "./harness/is-built.ts";
import { keep, packageVersion, readKept } from "./harness/kept-results.ts";
import { machineFacts } from "./harness/machine-facts.ts";
import { type Result, toJson, toTable } from "./harness/results.ts";
import { fieldNote } from "./peers/field.ts";
import { writeReport } from "./report/write-report.ts";

const given = tryRead();
if (given?.help) process.stdout.write(USAGE);
else if (given) await measureAll(given);

function tryRead(): BenchArguments | undefined {
  try {
    return readArguments(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n\n${USAGE}`);
    process.exitCode = 2;
    return undefined;
  }
}

async function measureAll({ chosen, scale, json, save }: BenchArguments): Promise<void> {
  const results: Result[] = [];
  const { against } = scale;
  const note = against === undefined && chosen.some(({ name }) => name.startsWith("peer-")) && fieldNote();
  if (note) process.stderr.write(`${note}\n`);
  for (const checkout of [resolve(import.meta.dirname, ".."), ...(against ? [against] : [])]) {
    if (isBuilt(checkout)) continue;
    process.stderr.write(
      `${checkout} runs from its sources, which is slower. Run \`npm run build\` there first.\n`,
    );
  }
  const began = new Date().toISOString();
  const head = { version: packageVersion(), date: began.slice(0, 10), machine: await machineFacts() };
  for (const { name, summary, run } of chosen) {
    process.stderr.write(`${name}: ${summary} …\n`);
    results.push({ benchmark: name, run: began, figures: await run(scale) });
    // At once: a later one may fail.
    if (save) keep({ ...head, results });
  }
  const measured = { ...head, results };
  if (save) writeReport(readKept(measured.version) ?? measured);
  process.stdout.write(json ? toJson(measured) : toTable(results));
}
