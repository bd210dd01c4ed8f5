/** `interlingua db check`: reads everything that is stored once and says whether it is whole. */
import type { IntegrityReport } from "../../core/store.ts";
import { CLIENT_OPTIONS, type CommandBody, JSON_OPTION } from "../command.ts";
import { dataDirectoryOf } from "../data-directory-of.ts";
import { openData } from "../open-data.ts";
import { print, printJson } from "../output.ts";

export const databaseCheck: CommandBody = {
  positionals: [],
  details: "Works while a daemon runs, and changes nothing. Exit code 0 when all is well, else 1.",
  options: { ...JSON_OPTION, data: { ...CLIENT_OPTIONS.data!, help: "Data directory to check" } },
  async run(invocation) {
    const data = await dataDirectoryOf(invocation);
    const report = await check(data);
    if (invocation.flags.on("json")) printJson({ data, ...report });
    else printReport(data, report);
    return report.ok ? 0 : 1;
  },
};

function printReport(data: string, { ok, problems, sessions, events }: IntegrityReport): void {
  for (const problem of problems) print(problem);
  print(`${data} ${ok ? "is whole" : "is damaged"} (sessions: ${sessions}, events: ${events})`);
}

async function check(directory: string): Promise<IntegrityReport> {
  const store = await openData(directory);
  try {
    return await store.check();
  } finally {
    await store.close();
  }
}
