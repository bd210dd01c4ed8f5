/** Copies a database as `pg_dump` and `pg_restore` do, by statements: the installed PostgreSQL comes without these programs. */
import pg from "pg";
import { openPostgres } from "../../src/store/postgres/open-postgres.ts";

/** The rows and sequences of all tables, as they were at one moment. The original is in use, the copy is not. */
export async function restoreCopy(original: string, copy: string): Promise<void> {
  await (await openPostgres({ url: copy })).close();
  const [from, to] = [await connect(original), await connect(copy)];
  try {
    await from.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    await to.query("BEGIN; SET LOCAL session_replication_role = replica");
    const tables = await from.query(
      "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'interlingua'",
    );
    for (const { name } of tables.rows as { name: string }[]) {
      const { rows } = await from.query(`SELECT t::text AS row FROM "${name}" t`);
      await to.query(`DELETE FROM "${name}"`);
      await to.query(
        `INSERT INTO "${name}" OVERRIDING SYSTEM VALUE SELECT (given::"${name}").* FROM unnest($1::text[]) AS given`,
        [rows.map(({ row }) => row)],
      );
    }
    const sequences = await from.query(
      "SELECT sequencename AS name, last_value FROM pg_sequences WHERE schemaname = 'interlingua' AND last_value IS NOT NULL",
    );
    for (const { name, last_value } of sequences.rows as { name: string; last_value: string }[])
      await to.query("SELECT setval(format('%I', $1::text)::regclass, $2::bigint)", [name, last_value]);
    await to.query("COMMIT");
  } finally {
    await Promise.all([from.end(), to.end()]);
  }
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, options: "-c search_path=interlingua" });
  await client.connect();
  return client;
}
