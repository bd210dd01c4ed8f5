/** Finds who can answer a listing command: the daemon, or the data directory where none runs. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { DATABASE_FILE } from "../store/sqlite/data-directory.ts";
import type { Invocation } from "./command.ts";
import { connectDaemon } from "./connect-daemon.ts";
import { daemonReader } from "./daemon-reader.ts";
import { NoDaemonError } from "./find-daemon.ts";
import { openData } from "./open-data.ts";
import { printNote } from "./output.ts";
import type { Reader } from "./reader.ts";
import { nameOfStore, storedAt } from "./stored-at.ts";

/** The caller closes it. */
export async function openReader(invocation: Invocation): Promise<Reader> {
  try {
    return daemonReader(await connectDaemon(invocation));
  } catch (error) {
    if (!(error instanceof NoDaemonError)) throw error;
    const stored = await storedAt(invocation);
    if (stored.store === undefined && !existsSync(join(error.directory, DATABASE_FILE))) throw error;
    // Folding a log is needed only here.
    const { storeReader } = await import("./store-reader.ts");
    const store = await openData({ ...stored, data: error.directory });
    // What the last daemon left open when it died, such as a running turn, is shown as open.
    const what = stored.store === undefined ? "the last one wrote there" : `${await nameOfStore(stored)} has`;
    printNote(`No daemon runs on ${error.directory}; this is what ${what}.`);
    return storeReader(store);
  }
}
