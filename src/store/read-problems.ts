/** The errors of failed reads: a damaged session, a damaged database, or a transient reason. */
import { InterlinguaError } from "../core/error.ts";

/** What helps where stored data is damaged, by the kind of the store. */
export const REMEDIES = {
  file: "restore a backup with `interlingua backup restore`",
  postgres: "restore a backup of the database, such as one of `pg_dump`",
} as const;

export type Remedy = (typeof REMEDIES)[keyof typeof REMEDIES];

export function sessionDamaged(session: string, cause: unknown, remedy: Remedy): InterlinguaError {
  return new InterlinguaError(
    "session_damaged",
    `What is stored of session "${session}" cannot be read: ${reason(cause)}. Run \`interlingua db check\` to see how much of it, and ${remedy}.`,
    { cause },
  );
}

export function databaseDamaged(cause: unknown, remedy: Remedy): InterlinguaError {
  return new InterlinguaError(
    "database_damaged",
    `The database cannot be read: ${reason(cause)}. Run \`interlingua db check\`, and ${remedy}.`,
    { cause },
  );
}

/** SQLite had no memory or no lock, say: the stored data is fine. */
export function storeBusy(cause: unknown): InterlinguaError {
  const detail = `The database could not be read: ${reason(cause)}. Nothing is lost. Try again.`;
  return new InterlinguaError("store_busy", detail, { cause, retryAfterSeconds: 1 });
}

/** What the health of the daemon says meanwhile. */
export function unreadableJustNow(cause: unknown): string {
  return `The database could not be read just now: ${reason(cause)}.`;
}

/** Without a trailing full stop. */
function reason(cause: unknown): string {
  return (cause instanceof Error ? cause.message : String(cause)).replace(/\.$/, "");
}
