/** Snapshots of a session's runtime state. A damaged one is not used: the log gives the same state. */
import type { StoredState } from "../../core/store.ts";
import { assertContent, type Checksum, contentChecksum } from "../format/checksum.ts";
import type { Connection } from "./connection.ts";

export type Snapshot = NonNullable<StoredState["snapshot"]>;

const WRITE = `INSERT INTO snapshot (session, seq, json, checksum) VALUES (?, ?, ?, ?)
  ON CONFLICT (session) DO UPDATE SET seq = excluded.seq, json = excluded.json, checksum = excluded.checksum`;

export const SELECT_SNAPSHOT = "SELECT seq, json, checksum FROM snapshot WHERE session = ?";

export function writeSnapshot(connection: Connection, session: number, { seq, json }: Snapshot): void {
  connection.run(WRITE, session, seq, json, contentChecksum(json, `${session} ${seq}`));
}

/** Throws when it is not what was stored. */
export function readSnapshot(connection: Connection, session: number): Snapshot | undefined {
  const stored = connection.get<Snapshot & { checksum: Checksum }>(SELECT_SNAPSHOT, session);
  if (!stored) return undefined;
  const { seq, json, checksum } = stored;
  assertContent(checksum, "the snapshot", json, "text", `${session} ${seq}`);
  return { seq, json };
}
