/** `npm run bench`: runs all benchmarks or those that are named, and prints what they measured. */
import { parseArgs } from "node:util";
import { BENCHMARKS } from "./benchmarks.ts";
import { FULL, SMOKE } from "./harness/benchmark.ts";
import { type Result, toJson, toTable } from "./harness/results.ts";
import { fieldNote } from "./peers/field.ts";

const USAGE = `usage: npm run bench -- [NAME…] [--json] [--smoke]

${BENCHMARKS.map(({ name, summary }) => `  ${name.padEnd(15)}${summary}`).join("\n")}

  --json    print the figures as JSON
  --smoke   run with tiny sizes, only to see that everything works
`;

const { values: flags, positionals: names } = parseArgs({
  allowPositionals: true,
  options: { json: { type: "boolean" }, smoke: { type: "boolean" }, help: { type: "boolean" } },
});
const unknown = names.filter((name) => !BENCHMARKS.some((benchmark) => benchmark.name === name));

if (flags.help) {
  process.stdout.write(USAGE);
} else if (unknown.length > 0) {
  process.stderr.write(`There is no benchmark ${unknown.join(", ")}.\n\n${USAGE}`);
  process.exitCode = 2;
} else {
  const scale = flags.smoke ? SMOKE : FULL;
  const results: Result[] = [];
  const note = fieldNote();
  if (note && (names.length === 0 || names.some((name) => name.startsWith("peer-")))) {
    process.stderr.write(`${note}\n`);
  }
  for (const { name, summary, run } of BENCHMARKS) {
    if (names.length > 0 && !names.includes(name)) continue;
    process.stderr.write(`${name}: ${summary} …\n`);
    results.push({ benchmark: name, figures: await run(scale) });
  }
  process.stdout.write(flags.json ? toJson(results) : toTable(results));
}
