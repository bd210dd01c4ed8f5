/** Creates the tables of a new database, and migrates those of an older one after backing it up. */
import { renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import type { Connection } from "./connection.ts";
import { createPrivateFile } from "./data-directory.ts";
import { SCHEMA } from "./schema.ts";
import { BASE_FORMAT, OLDEST_FORMAT, STEPS, type Step } from "./steps.ts";
import { syncPath } from "./sync-path.ts";
import { readVersion } from "./version.ts";

export interface MigrateOptions {
  /** Whether to keep a copy of the old database beside it; true when absent. */
  keepCopy?: boolean;
  /** Others than ours, for tests. */
  steps?: readonly Step[];
}

/** For a database without tables. */
export function createTables(connection: Connection, steps = STEPS): void {
  connection.transaction(() => {
    connection.exec(SCHEMA);
    takeSteps(connection, BASE_FORMAT, steps);
  });
}

/** For a database that `assertReadable` takes. */
export function migrate(connection: Connection, path: string, options: MigrateOptions = {}): void {
  const { steps = STEPS } = options;
  const version = readVersion(connection);
  if (version === OLDEST_FORMAT + steps.length) return;
  if (options.keepCopy !== false) keepCopy(connection, path, `${path}.format-${version}.bak`);
  connection.transaction(() => takeSteps(connection, version, steps));
}

function takeSteps(connection: Connection, version: number, steps: readonly Step[]): void {
  for (const step of steps.slice(version - OLDEST_FORMAT)) step(connection);
  connection.exec(`PRAGMA user_version = ${OLDEST_FORMAT + steps.length}`);
}

/** Complete on disk before anything changes. A copy of an earlier attempt is equal and is replaced. */
function keepCopy(connection: Connection, path: string, copy: string): void {
  const unfinished = `${copy}.new`;
  rmSync(unfinished, { force: true });
  createPrivateFile(unfinished);
  connection.run("VACUUM INTO ?", unfinished);
  syncPath(unfinished);
  renameSync(unfinished, copy);
  syncPath(dirname(path));
}
