/**
 * Creates the tables, or adds what is missing in those of an older version. Every step only adds, so that daemons of both
 * versions can work with one database while they are replaced; what is not needed any more goes a release later.
 */
import type { PostgresConnection } from "./connection.ts";
import { AUDIT_COUNTER, LOCKS, NUMBER_AUDIT, SCHEMA_NAME, TABLES } from "./schema.ts";

export interface Step {
  /** The oldest version of the tables whose programs can go on after this step. */
  oldestProgram: number;
  sql: string;
}

/** The oldest version that can be read. */
export const OLDEST_VERSION = 9;

/** The version that schema.ts makes. New databases take only the steps after it. */
export const BASE_VERSION = 12;

/** A sequence numbers the audit log, beside programs of older versions that still take numbers from the counter. */
const NUMBERS_OF_AUDIT = `
LOCK TABLE audit IN ACCESS EXCLUSIVE MODE;
CREATE SEQUENCE audit_number OWNED BY audit.seq;
SELECT setval('audit_number', value) FROM counter WHERE name = 'audit' AND value > 0;
ALTER TABLE audit ALTER seq SET DEFAULT nextval('${SCHEMA_NAME}.audit_number');
UPDATE counter SET value = ${AUDIT_COUNTER} WHERE name = 'audit';
${NUMBER_AUDIT}`;

/** `STEPS[0]` begins at `OLDEST_VERSION`. */
export const STEPS: readonly Step[] = [
  // Version 10: the prompt that a daemon prepares.
  { oldestProgram: 1, sql: "ALTER TABLE session ADD COLUMN preparing text" },
  // Version 11: how far a node's clock is ahead of the database's, and why the node is not ready.
  { oldestProgram: 1, sql: "ALTER TABLE node ADD COLUMN clock_ms bigint, ADD COLUMN problem text" },
  // Version 12.
  { oldestProgram: 1, sql: NUMBERS_OF_AUDIT },
];

export const TABLES_VERSION = OLDEST_VERSION + STEPS.length;

/** New databases get a row for each version too, as if they had taken the steps. */
const NOTE_BASE = `INSERT INTO migration (version, oldest_program) SELECT generate_series(1, ${BASE_VERSION}), 1`;

/** The oldest PostgreSQL that this is meant for. */
const OLDEST_SERVER = 140_000;

/** Others wait for a migration no longer than this; whoever is in its way fails it. */
const LOCK_TIMEOUT_MS = 10_000;

interface Found {
  version: number;
  oldestProgram: number;
}

/** Throws a sentence that says what to do. */
export async function migrate(connection: PostgresConnection, steps = STEPS): Promise<void> {
  await assertServer(connection);
  const found = await readVersion(connection);
  assertReadable(connection, found);
  if (found.version >= OLDEST_VERSION + steps.length) return;
  await connection.transaction(async (run) => {
    await run(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
    await run(`SELECT pg_advisory_xact_lock(${LOCKS.migration})`);
    await run(`CREATE SCHEMA IF NOT EXISTS ${SCHEMA_NAME}`);
    await run(`CREATE TABLE IF NOT EXISTS migration (version int PRIMARY KEY, oldest_program int NOT NULL,
      at timestamptz NOT NULL DEFAULT now())`);
    // Another daemon may have been faster.
    let [{ version = 0 } = {}] = await run<{ version: number }>(
      "SELECT coalesce(max(version), 0) AS version FROM migration",
    );
    if (version === 0) {
      await run(TABLES);
      await run(NOTE_BASE);
      version = BASE_VERSION;
    }
    for (const [index, { oldestProgram, sql }] of steps.entries()) {
      const made = OLDEST_VERSION + index + 1;
      if (made <= version) continue;
      await run(sql);
      await run("INSERT INTO migration (version, oldest_program) VALUES ($1, $2)", [made, oldestProgram]);
    }
  });
}

/** For reading: throws where `migrate` would have something to do. */
export async function assertMigrated(connection: PostgresConnection): Promise<void> {
  const found = await readVersion(connection);
  assertReadable(connection, found);
  if (found.version === 0)
    throw new Error(`There is no data of Interlingua in ${connection.name}. Name another database.`);
  if (found.version < TABLES_VERSION)
    throw new Error(
      `${connection.name} has version ${found.version} of the tables, this version of Interlingua reads ${TABLES_VERSION}. Start the daemon once to bring it up to date.`,
    );
}

async function readVersion(connection: PostgresConnection): Promise<Found> {
  const [table] = await connection.query<{ found: string | null }>("SELECT to_regclass($1)::text AS found", [
    `${SCHEMA_NAME}.migration`,
  ]);
  if (table?.found == null) return { version: 0, oldestProgram: 0 };
  const [found] = await connection.query<Found>(
    `SELECT coalesce(max(version), 0) AS version, coalesce(max(oldest_program), 0) AS "oldestProgram" FROM migration`,
  );
  return found!;
}

function assertReadable(connection: PostgresConnection, { version, oldestProgram }: Found): void {
  if (oldestProgram > TABLES_VERSION)
    throw new Error(
      `${connection.name} was written by a newer version of Interlingua (tables ${version}, for programs that know ${oldestProgram}; this one knows ${TABLES_VERSION}). ` +
        "Install that version or a newer one, or name another database.",
    );
  if (version > 0 && version < OLDEST_VERSION)
    throw new Error(
      `${connection.name} has version ${version} of the tables, and the oldest that this version of Interlingua reads is ${OLDEST_VERSION}. ` +
        "Export its sessions with the version that wrote it, or name another database.",
    );
}

async function assertServer(connection: PostgresConnection): Promise<void> {
  const [server] = await connection.query<{ version: number; encoding: string }>(
    `SELECT current_setting('server_version_num')::int AS version, current_setting('server_encoding') AS encoding`,
  );
  if (server!.version < OLDEST_SERVER)
    throw new Error(
      `${connection.name} is PostgreSQL ${Math.floor(server!.version / 10_000)}. It takes 14 or newer.`,
    );
  if (server!.encoding !== "UTF8")
    throw new Error(
      `${connection.name} has the encoding ${server!.encoding}. Create a database with: CREATE DATABASE interlingua ENCODING 'UTF8' TEMPLATE template0`,
    );
}
