/** Refusals that the engine, the server and dialects share, each with its one sentence. */
import { InterlinguaError } from "../core/error.ts";
import { suggestWord } from "../core/suggest-word.ts";

export function sessionNotFound(session: string): InterlinguaError {
  return new InterlinguaError(
    "session_not_found",
    `There is no session "${session}". The list of sessions has those there are.`,
  );
}

/** @param agents The names of those there are. */
export function agentNotFound(name: string, agents: readonly string[]): InterlinguaError {
  const meant = suggestWord(name, agents);
  const hint = meant === undefined ? "" : ` Did you mean "${meant}"?`;
  const detail = `There is no agent "${name}".${hint} There are: ${agents.join(", ")}.`;
  return new InterlinguaError("agent_not_found", detail, { agents });
}

export function messageNotFound(message: string): InterlinguaError {
  return new InterlinguaError("message_not_found", `There is no message "${message}" in this session.`);
}

export function cursorBeyondEnd(session: string, after: number, head: number): InterlinguaError {
  return new InterlinguaError(
    "cursor_beyond_end",
    `The log of session "${session}" ends at ${head}, before ${after}. Begin at ${head} or earlier.`,
    { errors: [{ path: "after", message: `is beyond the end, which is ${head}` }] },
  );
}

/** `invalid_request` about one field. */
export function invalidField(path: string, message: string, detail: string): InterlinguaError {
  return new InterlinguaError("invalid_request", detail, { errors: [{ path, message }] });
}
