/** What a copy of a store writes to: a store, and what has numbers of its own. */
import type { AuditRow } from "../core/people-store.ts";
import type { Store } from "../core/store.ts";
import type { SessionHome } from "./copy-source.ts";

export interface CopyTarget extends Store {
  /** Entries with the numbers they have, in ascending order, into an audit log that has none beyond them. */
  importAudit(entries: readonly AuditRow[]): Promise<void>;
  /** Of sessions that are there. Absent where there are no nodes. */
  importHomes?(homes: readonly SessionHome[]): Promise<void>;
}
