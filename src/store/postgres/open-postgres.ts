/** Opens the store on a PostgreSQL database; makes its tables or brings them up to date when it may write. */
import { setTimeout } from "node:timers/promises";
import { type ConnectionOptions, type ConnectionTimeouts, LOCKED, PostgresConnection } from "./connection.ts";
import { assertMigrated, migrate } from "./migrate.ts";
import { PostgresFailure } from "./postgres-failure.ts";
import { PostgresReader } from "./postgres-reader.ts";
import { PostgresStore, type PostgresStoreOptions } from "./postgres-store.ts";

export interface OpenPostgresOptions extends PostgresStoreOptions {
  /** With the password, if there is one. It stands in no message. */
  url: string;
  timeouts?: Partial<ConnectionTimeouts>;
  /** Whether other nodes of a cluster write beside this daemon. Then every append needs a claim. */
  isShared?: boolean;
}

const LOCK_PATIENCE_MS = 3000;
const LOCK_PAUSE_MS = 100;

/** The row of `mark` while a copy into the database is not finished. */
export const COPYING = "copying";

/** Throws a sentence that says what to do, also when another daemon works with the database. */
export async function openPostgres(options: OpenPostgresOptions): Promise<PostgresStore> {
  const writer = options.isShared ? "beside others" : "alone";
  const connection = await connectPostgres(options, writer, async (opened) => {
    await waitForLock(opened);
    await migrate(opened);
    await assertWhole(opened);
    if (!options.isShared) await fenceNodes(opened);
  });
  return new PostgresStore(connection, options);
}

/** Changes nothing; others may write meanwhile. */
export async function openPostgresReadOnly(
  options: Pick<OpenPostgresOptions, "url" | "timeouts">,
): Promise<PostgresReader> {
  return new PostgresReader(await connectPostgres(options, undefined, assertMigrated));
}

/** Throws a sentence where it cannot be prepared; then nothing stays open. */
export async function connectPostgres(
  { url, timeouts }: Pick<OpenPostgresOptions, "url" | "timeouts">,
  writer: ConnectionOptions["writer"],
  prepare: (connection: PostgresConnection) => Promise<void>,
): Promise<PostgresConnection> {
  const connection = await PostgresConnection.open({ url, writer, timeouts });
  try {
    await prepare(connection);
    return connection;
  } catch (error) {
    await connection.close();
    if (!(error instanceof PostgresFailure)) throw error;
    const { message, advice } = error;
    const sentences = `${connection.name} cannot be used: ${message.replace(/\.$/, "")}. ${advice}`;
    throw new Error(sentences.trim(), { cause: error });
  }
}

/** A daemon that was killed a moment ago keeps the lock until PostgreSQL notices. */
export async function waitForLock(connection: PostgresConnection): Promise<void> {
  const deadline = performance.now() + LOCK_PATIENCE_MS;
  for (;;) {
    try {
      await connection.write("SELECT 1");
      return;
    } catch (error) {
      const isLocked = error instanceof PostgresFailure && error.sqlState === LOCKED;
      if (!isLocked || performance.now() > deadline) throw error;
      await setTimeout(LOCK_PAUSE_MS);
    }
  }
}

async function assertWhole(connection: PostgresConnection): Promise<void> {
  const marks = await connection.query("SELECT 1 FROM mark WHERE name = $1", [COPYING]);
  if (marks.length === 0) return;
  throw new Error(
    `A copy into ${connection.name} was not finished. Run interlingua db copy again; it begins anew.`,
  );
}

/** Nodes of an earlier cluster that still believe in their claims write nothing beside a daemon that is alone. */
async function fenceNodes(connection: PostgresConnection): Promise<void> {
  await connection.write(
    "UPDATE log_head SET owner = NULL, last_owner = owner, epoch = epoch + 1 WHERE owner IS NOT NULL",
  );
}
