/** What readers of a damaged session get: the others go on. */
import { InterlinguaError } from "../core/error.ts";

export function sessionDamaged(session: string, cause: unknown): InterlinguaError {
  return new InterlinguaError(
    "session_damaged",
    `What is stored of session "${session}" cannot be read: ${reason(cause)}. Run \`interlingua db check\` to see how much of it, and restore a backup with \`interlingua restore\`.`,
    { cause },
  );
}

export function databaseDamaged(cause: unknown): InterlinguaError {
  return new InterlinguaError(
    "database_damaged",
    `The database cannot be read: ${reason(cause)}. Run \`interlingua db check\`, and restore a backup with \`interlingua restore\`.`,
    { cause },
  );
}

function reason(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
