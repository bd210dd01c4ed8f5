/**
 * Creates the tables, or adds what is missing in those of an older version. Every step only adds, so that daemons of both
 * versions can work with one database while they are replaced; what is not needed any more goes a release later.
 */
import type { PostgresConnection } from "./connection.ts";
import { FILES_TABLES } from "./files-tables.ts";
import { LOCKS, SCHEMA_NAME, TABLES } from "./schema.ts";

interface Step {
  /** The oldest version of the tables whose programs can go on after this step. */
  oldestProgram: number;
  sql: string;
}

/**
 * What tokens of several nodes need. A name that reads like another is found by `folded`; programs before this step leave it
 * out. The counter rises with every token that comes or goes, whoever changes the table, so that others notice. It is changed
 * last, so that no two wait for each other.
 */
const TOKENS_OF_NODES = `
ALTER TABLE token ADD COLUMN folded text COLLATE "C";
CREATE UNIQUE INDEX token_by_name ON token (folded);
INSERT INTO counter VALUES ('tokens', 1);
CREATE FUNCTION note_tokens() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
  UPDATE ${SCHEMA_NAME}.counter SET value = value + 1 WHERE name = 'tokens';
  RETURN NULL;
END $$;
CREATE TRIGGER token_noted AFTER INSERT OR DELETE ON token FOR EACH ROW EXECUTE FUNCTION note_tokens();
`;

/** `STEPS[0]` makes version 1. */
const STEPS: readonly Step[] = [
  { oldestProgram: 1, sql: TABLES },
  { oldestProgram: 1, sql: "ALTER TABLE session ADD COLUMN cut_off_at bigint" },
  {
    oldestProgram: 1,
    // Those that are there may have been used, and what was never used may be replaced.
    sql: "ALTER TABLE token ADD COLUMN last_used_at bigint; UPDATE token SET last_used_at = created_at",
  },
  // Which daemon a node is an incarnation of.
  { oldestProgram: 1, sql: "ALTER TABLE node ADD COLUMN daemon text" },
  // How long turns waited for a person. Of earlier ones, and of those of older programs, it is not known.
  {
    oldestProgram: 1,
    sql: "ALTER TABLE usage_day ADD COLUMN waited_ms double precision NOT NULL DEFAULT 0",
  },
  // What agents keep of their conversations, in pieces.
  {
    oldestProgram: 1,
    sql: `CREATE TABLE memory (
      session bigint NOT NULL,
      part text COLLATE "C" NOT NULL,
      seq bigint NOT NULL,
      codec smallint NOT NULL,
      checksum bigint NOT NULL,
      data bytea NOT NULL,
      PRIMARY KEY (session, part, seq)
    );
    ALTER TABLE memory ALTER data SET STORAGE EXTERNAL`,
  },
  // Whether a node that is dead went by itself.
  { oldestProgram: 1, sql: "ALTER TABLE node ADD COLUMN has_left boolean NOT NULL DEFAULT false" },
  { oldestProgram: 1, sql: TOKENS_OF_NODES },
  { oldestProgram: 1, sql: FILES_TABLES },
];

export const TABLES_VERSION = STEPS.length;

/** The oldest PostgreSQL that this is meant for. */
const OLDEST_SERVER = 140_000;

/** Others wait for a migration no longer than this; whoever is in its way fails it. */
const LOCK_TIMEOUT_MS = 10_000;

interface Found {
  version: number;
  oldestProgram: number;
}

/** Throws a sentence that says what to do. */
export async function migrate(connection: PostgresConnection): Promise<void> {
  await assertServer(connection);
  const found = await readVersion(connection);
  assertReadable(connection, found);
  if (found.version >= TABLES_VERSION) return;
  await connection.transaction(async (run) => {
    await run(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
    await run(`SELECT pg_advisory_xact_lock(${LOCKS.migration})`);
    await run(`CREATE SCHEMA IF NOT EXISTS ${SCHEMA_NAME}`);
    await run(`CREATE TABLE IF NOT EXISTS migration (version int PRIMARY KEY, oldest_program int NOT NULL,
      at timestamptz NOT NULL DEFAULT now())`);
    // Another daemon may have been faster.
    const [{ version = 0 } = {}] = await run<{ version: number }>(
      "SELECT coalesce(max(version), 0) AS version FROM migration",
    );
    for (const [index, { oldestProgram, sql }] of STEPS.entries()) {
      if (index < version) continue;
      await run(sql);
      await run("INSERT INTO migration (version, oldest_program) VALUES ($1, $2)", [
        index + 1,
        oldestProgram,
      ]);
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
  if (oldestProgram <= TABLES_VERSION) return;
  throw new Error(
    `${connection.name} was written by a newer version of Interlingua (tables ${version}, for programs that know ${oldestProgram}; this one knows ${TABLES_VERSION}). ` +
      "Install that version or a newer one, or name another database.",
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
