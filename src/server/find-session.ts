/** The one sentence for a session that is not there. */
import { InterlinguaError } from "../core/error.ts";

export function sessionNotFound(session: string): InterlinguaError {
  return new InterlinguaError(
    "session_not_found",
    `There is no session "${session}". GET /v1/sessions lists those there are.`,
  );
}
