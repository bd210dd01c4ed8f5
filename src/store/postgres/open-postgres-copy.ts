/** Opens a database as the source or the target of a copy. No daemon works with it meanwhile. */
import type { PostgresConnection } from "./connection.ts";
import { assertMigrated, migrate } from "./migrate.ts";
import { COPYING, connectPostgres, type OpenPostgresOptions, waitForLock } from "./open-postgres.ts";
import { PostgresCopySource } from "./postgres-copy-source.ts";
import { PostgresStore } from "./postgres-store.ts";
import { SCHEMA_NAME } from "./schema.ts";

type Address = Pick<OpenPostgresOptions, "url" | "timeouts">;

export async function openPostgresCopySource(address: Address): Promise<PostgresCopySource> {
  const connection = await connectPostgres(address, "alone", async (opened) => {
    await waitForLock(opened);
    await assertMigrated(opened);
    const marks = await opened.query("SELECT 1 FROM mark WHERE name = $1", [COPYING]);
    if (marks.length > 0)
      throw new Error(`A copy into ${opened.name} was not finished. Give another source.`);
  });
  return new PostgresCopySource(connection);
}

export interface PostgresCopyTarget {
  readonly store: PostgresStore;
  /** The copy is whole. Until then no daemon takes the database. */
  finish(): Promise<void>;
}

/** Throws where it is not empty. What a copy left that was not finished is removed. */
export async function openPostgresCopyTarget(address: Address): Promise<PostgresCopyTarget> {
  const connection = await connectPostgres(address, "alone", async (opened) => {
    await waitForLock(opened);
    await migrate(opened);
    await assertEmpty(opened);
    await opened.write("INSERT INTO mark (name, value) VALUES ($1, '')", [COPYING]);
  });
  return {
    store: new PostgresStore(connection),
    async finish() {
      await connection.write("DELETE FROM mark WHERE name = $1", [COPYING]);
    },
  };
}

async function assertEmpty(connection: PostgresConnection): Promise<void> {
  const marks = await connection.query("SELECT 1 FROM mark WHERE name = $1", [COPYING]);
  if (marks.length > 0) {
    await connection.write(`DROP SCHEMA ${SCHEMA_NAME} CASCADE`);
    await migrate(connection);
    return;
  }
  for (const table of ["session", "token", "invitation", "audit"]) {
    const found = await connection.query(`SELECT 1 FROM ${table} LIMIT 1`);
    if (found.length > 0)
      throw new Error(`${connection.name} holds data of Interlingua already. Name an empty database.`);
  }
}
