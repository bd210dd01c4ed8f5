/** Creates the tables of a new database, and migrates those of an older one after backing it up. */
import { renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import type { Connection } from "./connection.ts";
import { createPrivateFile } from "./data-directory.ts";
import { addChecksums } from "./migrations/add-checksums.ts";
import { addClientKeys } from "./migrations/add-client-keys.ts";
import { addCutOffs } from "./migrations/add-cut-offs.ts";
import { addForkOrigins } from "./migrations/add-fork-origins.ts";
import { addLabelsAndTexts } from "./migrations/add-labels-and-texts.ts";
import { addLastUses } from "./migrations/add-last-uses.ts";
import { addMemory } from "./migrations/add-memory.ts";
import { addPeople } from "./migrations/add-people.ts";
import { addSessionUlids } from "./migrations/add-session-ulids.ts";
import { addTextsToIndex } from "./migrations/add-texts-to-index.ts";
import { addWaitedTimes } from "./migrations/add-waited-times.ts";
import { migrateFromFormat0 } from "./migrations/from-format-0.ts";
import { indexSessionsByDirectory } from "./migrations/index-sessions-by-directory.ts";
import { SCHEMA } from "./schema.ts";
import { syncPath } from "./sync-path.ts";
import { readVersion, SCHEMA_VERSION } from "./version.ts";

/** Each step leaves the tables as the next version has them; `steps[0]` begins at format 0. */
const STEPS: readonly ((connection: Connection) => void)[] = [
  migrateFromFormat0,
  addChecksums,
  addClientKeys,
  indexSessionsByDirectory,
  addForkOrigins,
  addSessionUlids,
  addPeople,
  addLabelsAndTexts,
  addTextsToIndex,
  addCutOffs,
  addLastUses,
  addWaitedTimes,
  addMemory,
];

/** The version that `SCHEMA` makes. Later versions come from steps, for new databases too, so that none differs. */
const BASE_VERSION = 1;

/** For a database without tables. */
export function createTables(connection: Connection): void {
  connection.transaction(() => {
    connection.exec(SCHEMA);
    takeSteps(connection, BASE_VERSION);
  });
}

export interface MigrateOptions {
  /** Whether to keep a copy of the old database beside it; true when absent. */
  keepCopy?: boolean;
}

export function migrate(connection: Connection, path: string, options: MigrateOptions = {}): void {
  requireOurs(connection, path);
  const version = readVersion(connection);
  if (version === SCHEMA_VERSION) return;
  if (options.keepCopy !== false) keepCopy(connection, path, `${path}.format-${version}.bak`);
  connection.transaction(() => takeSteps(connection, version));
}

function takeSteps(connection: Connection, version: number): void {
  for (const step of STEPS.slice(version)) step(connection);
  connection.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
}

function requireOurs(connection: Connection, path: string): void {
  const found = connection.get("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'session'");
  if (!found)
    throw new Error(`${path} is not a database of Interlingua. Give another directory with --data.`);
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
