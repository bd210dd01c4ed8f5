/**
 * Which database this is. A restored dump has the nodes of the original in its table, and their addresses: a node on the copy
 * would give them its commands. So the database keeps an id together with where it lies, and an id that was written elsewhere
 * is replaced by a new one. Nodes only talk to nodes with the same id.
 */
import { randomUUID } from "node:crypto";
import type { PostgresConnection } from "../store/postgres/connection.ts";
import { PostgresFailure } from "../store/postgres/postgres-failure.ts";
import { LOCKS } from "../store/postgres/schema.ts";

export interface DatabaseIdentity {
  readonly id: string;
  /** The database is a copy, which was found just now. So many nodes of the original were declared dead. */
  readonly forgottenNodes?: number;
}

/** Where the id was written. */
interface Origin {
  id: string;
  /** The id of the server; null where the role may not read it. */
  system: string | null;
  /** The oid of the database. */
  database: number;
  /** The transaction that wrote the row. Restoring a dump writes the row anew, by another one. */
  transaction: number;
}

const MARK = "database_identity";

const READ_SYSTEM = "SELECT system_identifier::text AS system FROM pg_control_system()";
/** The role may not call the function, or there is none. */
const NOT_READABLE = new Set(["42501", "42883"]);

const DATABASE = "SELECT oid::bigint FROM pg_database WHERE datname = current_database()";

const READ = `SELECT value, xmin::text::bigint AS "writtenBy", (${DATABASE}) AS database FROM mark WHERE name = $1`;

/** `xmin` has the lower half of a transaction's number. */
const WRITE = `INSERT INTO mark (name, value) SELECT $1, json_build_object('id', $2::text, 'system', $3::text,
    'database', (${DATABASE}), 'transaction', txid_current() % 4294967296)::text
  ON CONFLICT (name) DO UPDATE SET value = excluded.value`;

/** They did not die here, so no list shows them. Sessions that name them are free. */
const FORGET_NODES = "UPDATE node SET dead = true, has_left = true WHERE NOT dead RETURNING id";

/** Rejects where the database cannot be reached; then nothing was changed. */
export async function identifyDatabase(
  connection: Pick<PostgresConnection, "query" | "transaction">,
): Promise<DatabaseIdentity> {
  const system = await readSystem(connection);
  return connection.transaction(async (run) => {
    // When several nodes start on a copy, the first writes the new id, before any of them joins.
    await run(`SELECT pg_advisory_xact_lock(${LOCKS.identity})`);
    const [row] = await run<{ value: string; writtenBy: number; database: number }>(READ, [MARK]);
    const stored = row && (JSON.parse(row.value) as Origin);
    if (stored && isWrittenHere(stored, { ...row, system })) return { id: stored.id };
    const forgotten = stored ? await run(FORGET_NODES) : [];
    const id = randomUUID();
    await run(WRITE, [MARK, id, system]);
    return stored ? { id, forgottenNodes: forgotten.length } : { id };
  });
}

async function readSystem(connection: Pick<PostgresConnection, "query">): Promise<string | null> {
  try {
    const [row] = await connection.query<{ system: string }>(READ_SYSTEM);
    return row!.system;
  } catch (error) {
    if (error instanceof PostgresFailure && NOT_READABLE.has(error.sqlState ?? "")) return null;
    throw error;
  }
}

/** Two servers may give the same oid. Without the id of the server the transaction tells them apart. */
function isWrittenHere(
  stored: Origin,
  { system, database, writtenBy }: { system: string | null; database: number; writtenBy: number },
): boolean {
  if (stored.database !== database) return false;
  if (stored.system !== null && system !== null) return stored.system === system;
  return stored.transaction === writtenBy;
}
