/** The version of the tables, their format, kept in the database as `user_version`. */
import type { Connection } from "./connection.ts";
import { OLDEST_FORMAT, STEPS } from "./steps.ts";

/** A new EVENT_FORMAT needs a step too, even if it changes no table. */
export const SCHEMA_VERSION = OLDEST_FORMAT + STEPS.length;

export function readVersion(connection: Connection): number {
  return connection.get<{ user_version: number }>("PRAGMA user_version")?.user_version ?? 0;
}

/** Throws, and has changed nothing, when the database is not ours, or of a format that this program cannot read. */
export function assertReadable(connection: Connection, path: string): void {
  const version = readVersion(connection);
  if (version > SCHEMA_VERSION)
    throw new Error(
      `${path} was written by a newer version of Interlingua (format ${version}, this one knows up to ${SCHEMA_VERSION}). ` +
        "Install that version or a newer one, or give another directory with --data.",
    );
  const found = connection.get("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'session'");
  if (!found)
    throw new Error(`${path} is not a database of Interlingua. Give another directory with --data.`);
  if (version < OLDEST_FORMAT)
    throw new Error(
      `${path} has format ${version}, and the oldest format that this version of Interlingua reads is ${OLDEST_FORMAT}. ` +
        "Export its sessions with the version that wrote it, or start with a new directory: --data.",
    );
}
