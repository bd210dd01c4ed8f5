/** `interlingua db check`: reads everything that is stored once and says whether it is whole. */
import type { IntegrityReport } from "../../core/store.ts";
import { CLIENT_OPTIONS, type CliCommand } from "../command.ts";
import { dataDirectoryOf } from "../data-directory-of.ts";
import { openData } from "../open-data.ts";
import { print } from "../output.ts";

export const databaseCheck: CliCommand = {
  name: "db check",
  positionals: [],
  summary: "Read everything stored once and say whether it is whole",
  details: "Works while a daemon runs, and changes nothing. Exit code 0 when all is well, else 1.",
  options: { data: { ...CLIENT_OPTIONS.data!, help: "Data directory to check" } },
  async run(invocation) {
    const data = dataDirectoryOf(invocation);
    const report = await check(data);
    for (const problem of report.problems) print(problem);
    const verdict = report.ok ? "is whole" : "is damaged";
    print(`${data} ${verdict} (sessions: ${report.sessions}, events: ${report.events})`);
    return report.ok ? 0 : 1;
  },
};

async function check(directory: string): Promise<IntegrityReport> {
  const store = await openData(directory);
  try {
    return await store.check();
  } finally {
    await store.close();
  }
}
