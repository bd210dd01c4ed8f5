/** The version of the tables, kept in the database as `user_version`. */
import type { Connection } from "./connection.ts";

/** Raised with every migration; a new EVENT_FORMAT needs one too, even if it changes no table. */
export const SCHEMA_VERSION = 13;

export function readVersion(connection: Connection): number {
  return connection.get<{ user_version: number }>("PRAGMA user_version")?.user_version ?? 0;
}

/** Throws, and has changed nothing, when a newer program wrote the database. */
export function requireKnownVersion(connection: Connection, path: string): void {
  const version = readVersion(connection);
  if (version <= SCHEMA_VERSION) return;
  throw new Error(
    `${path} was written by a newer version of Interlingua (format ${version}, this one knows up to ${SCHEMA_VERSION}). ` +
      "Install that version or a newer one, or give another directory with --data.",
  );
}
