/** Where it is noted who did what, and who was refused. */
import type { AuditEntry } from "../../core/people-store.ts";

/** None of its methods throws. */
export interface AuditSink {
  /** Returns at once: nobody waits for it. */
  note(entry: AuditEntry): void;
  /** Resolves when it is on disk, for what must not be done unseen. */
  write(entry: AuditEntry): Promise<void>;
}
