/** `npm run bench:report`: draws the charts and fills in the tables of docs/performance.md, from the results that are kept. */
import { packageVersion, readKept } from "../harness/kept-results.ts";
import { writeReport } from "./write-report.ts";

const version = process.argv[2] ?? packageVersion();
const run = readKept(version);
if (run) {
  writeReport(run);
} else {
  process.stderr.write(
    `There are no results of version ${version}. \`npm run bench -- --save\` makes them.\n`,
  );
  process.exitCode = 1;
}
