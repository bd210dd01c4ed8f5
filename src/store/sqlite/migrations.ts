/** Brings the tables of an older version up to date. Events stay as they are; see ../upcast.ts. */
import type { Connection } from "./connection.ts";
import { SCHEMA, SCHEMA_VERSION } from "./schema.ts";

export function migrate(connection: Connection, _path: string): void {
  if (connection.get("SELECT 1 FROM sqlite_schema LIMIT 1")) return;
  connection.transaction(() => {
    connection.exec(SCHEMA);
    connection.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
  });
}

export function requireCurrentSchema(_connection: Connection, _path: string): void {}
