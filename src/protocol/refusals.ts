/** Refusals that the engine, the server and dialects share, each with its one sentence. */
import { InterlinguaError } from "../core/error.ts";
import type { NodeAddress } from "../core/ownership.ts";
import { type Access, RIGHTS, type Right, type RightDefinition, ROLES } from "../core/rights.ts";
import { suggestWord } from "../core/suggest-word.ts";

export function sessionNotFound(session: string): InterlinguaError {
  return new InterlinguaError(
    "session_not_found",
    `There is no session "${session}". The list of sessions has those there are.`,
  );
}

/** Another node has the session: it takes the command. */
export function notOwner(session: string, owner: NodeAddress): InterlinguaError {
  const { id, name, url } = owner;
  const place = url === undefined ? "" : `, ${url}`;
  const detail = `Session "${session}" is at the node "${name}" (number ${id}${place}). Send the request there.`;
  return new InterlinguaError("not_owner", detail, { owner });
}

/** Another node has taken the session over while this was under way. */
export function sessionMoved(session: string): InterlinguaError {
  const detail = `Another node has taken session "${session}" over. Look at it, then try again.`;
  return new InterlinguaError("session_moved", detail, { retryAfterSeconds: 1 });
}

/** What needs the files of a session waits for the node that has them. */
export function filesElsewhere(session: string, node: string): InterlinguaError {
  const detail = `The files of session "${session}" are at the node "${node}", which is gone or going away. Start it again; what waits in the session runs then.`;
  return new InterlinguaError("node_unreachable", detail, { retryAfterSeconds: 10 });
}

/** What needs the agent of a session waits for a node that has it. */
export function agentElsewhere(session: string, agent: string): InterlinguaError {
  const detail = `No node has the agent "${agent}" of session "${session}". Start one whose config has it; what waits in the session runs then.`;
  return new InterlinguaError("node_unreachable", detail, { retryAfterSeconds: 10 });
}

/** The database has gone back: what was acknowledged after this event is not there any more. */
export function eventsLost(session: string, head: number): InterlinguaError {
  const detail = `The database has lost events of session "${session}" that were acknowledged, as after a failover to a standby that was behind. Its log ends at ${head}. Read it again from there or earlier.`;
  return new InterlinguaError("events_lost", detail, { retryAfterSeconds: 1 });
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

export function messageNotQueued(message: string): InterlinguaError {
  return new InterlinguaError(
    "message_not_queued",
    `Message "${message}" is not waiting: it has begun, was withdrawn or never was.`,
  );
}

export function askNotFound(ask: string): InterlinguaError {
  return new InterlinguaError(
    "ask_not_found",
    `There is no ask "${ask}" in this session. The list of asks has those that are open.`,
  );
}

export function taskNotFound(task: string): InterlinguaError {
  return new InterlinguaError(
    "task_not_found",
    `There is no task "${task}" in this session. The list of tasks has those that run, and the last that ended.`,
  );
}

export function cursorBeyondEnd(session: string, after: number, head: number): InterlinguaError {
  return new InterlinguaError(
    "cursor_beyond_end",
    `The log of session "${session}" ends at ${head}, before ${after}. Begin at ${head} or earlier.`,
    { errors: [{ path: "after", message: `is beyond the end, which is ${head}` }] },
  );
}

/** The one refusal of whoever may not do something. `path` names the field that needs the right. */
export function lacksRight(
  right: Right,
  access: Access,
  { path, reason }: { path?: string; reason?: string } = {},
): InterlinguaError {
  const { role, text, more }: RightDefinition = RIGHTS[right];
  const what = `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
  const hasRole = ROLES.indexOf(access.role) >= ROLES.indexOf(role);
  const need = hasRole ? "needs a token for all sessions and agents" : `needs the role ${role}`;
  const holder = hasRole
    ? `The token "${access.name}" is for some`
    : `The token "${access.name}" has the role ${access.role}`;
  return new InterlinguaError(
    "forbidden",
    `${what} ${need}${more === undefined ? "" : `; ${more}`}${reason === undefined ? "" : `: ${reason}`}. ${holder}: ask the owner of this daemon to do it, or for another token.`,
    { right, ...(path !== undefined && { errors: [{ path, message: need }] }) },
  );
}

/** `invalid_request` about one field. */
export function invalidField(path: string, message: string, detail: string): InterlinguaError {
  return new InterlinguaError("invalid_request", detail, { errors: [{ path, message }] });
}

export function tokenExists(name: string): InterlinguaError {
  return new InterlinguaError(
    "token_exists",
    `There is a token named "${name}". Choose another name, or revoke that one first.`,
    { errors: [{ path: "name", message: "is the name of another token" }] },
  );
}

/** @param most How many there may be. */
export function tooManyTokens(most: number): InterlinguaError {
  return new InterlinguaError(
    "too_many_tokens",
    `There are ${most} tokens, which is the most there may be. Revoke some, and let others expire.`,
  );
}

export function shuttingDown(): InterlinguaError {
  return new InterlinguaError("shutting_down", "The daemon is shutting down. Try again when it is back.");
}

/** `command` is what was asked for, by code of a dialect or by another node. */
export function unknownCommand(command?: string): InterlinguaError {
  const name = command === undefined ? "such a command" : `the command "${command}"`;
  return new InterlinguaError("unsupported", `This node does not know ${name}. Bring it up to date.`);
}
