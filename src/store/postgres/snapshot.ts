/** Snapshots of a session's runtime state. A damaged one is not used: the log gives the same state. */
import type { StoredState } from "../../core/store.ts";
import { assertContent } from "../format/checksum.ts";
import type { RunStatement } from "./connection.ts";

export type Snapshot = NonNullable<StoredState["snapshot"]>;

/** Throws when it is not what was stored. */
export async function readSnapshot(run: RunStatement, session: number): Promise<Snapshot | undefined> {
  const [stored] = await run<{ seq: number; checksum: number; data: Buffer }>(
    "SELECT seq, checksum, data FROM snapshot WHERE session = $1",
    [session],
  );
  if (!stored) return undefined;
  const { seq, checksum, data } = stored;
  assertContent(checksum, "the snapshot", data, "blob", `${session} ${seq}`);
  return { seq, json: data.toString() };
}
