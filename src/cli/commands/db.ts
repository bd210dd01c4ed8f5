/** `interlingua db check`: reads everything that is stored once and says whether it is whole. */
import type { IntegrityReport } from "../../core/store.ts";
import { CLIENT_OPTIONS, type CommandBody, type Invocation, JSON_OPTION } from "../command.ts";
import { openData } from "../open-data.ts";
import { print, printJson, printNote } from "../output.ts";
import { SERVE_OPTIONS } from "../serve-options.ts";
import { nameOfStore, type StoredAt, storedAt } from "../stored-at.ts";

export const databaseCheck: CommandBody = {
  positionals: [],
  details: [
    "Works while a daemon runs, and changes nothing. Exit code 0 when all is well, else 1. With --data it checks",
    "that directory, also where INTERLINGUA_STORE names a database.",
  ].join("\n"),
  options: {
    ...JSON_OPTION,
    data: { ...CLIENT_OPTIONS.data!, help: "Data directory to check" },
    store: { ...SERVE_OPTIONS.store!, help: "Database to check, without a password (a file in DATA)" },
  },
  async run(invocation) {
    const stored = await storedAt(named(invocation));
    const report = await check(stored);
    const name = await nameOfStore(stored);
    if (invocation.flags.on("json"))
      printJson({ data: stored.data, ...(stored.store && { store: name }), ...report });
    else printReport(name, report);
    return report.ok ? 0 : 1;
  },
};

/** The flag beats the variable. A database that the directory's own config file names is still followed. */
function named(invocation: Invocation): Invocation {
  const { flags, environment } = invocation;
  const isDirectory = flags.values.data !== undefined && flags.values.store === undefined;
  if (!isDirectory || !environment.INTERLINGUA_STORE) return invocation;
  printNote("INTERLINGUA_STORE is ignored because of --data. To check that database, leave --data out.");
  return { ...invocation, environment: { ...environment, INTERLINGUA_STORE: undefined } };
}

function printReport(data: string, { ok, problems, sessions, events }: IntegrityReport): void {
  for (const problem of problems) print(problem);
  print(`${data} ${ok ? "is whole" : "is damaged"} (sessions: ${sessions}, events: ${events})`);
}

async function check(stored: StoredAt): Promise<IntegrityReport> {
  const store = await openData(stored);
  try {
    return await store.check();
  } finally {
    await store.close();
  }
}
