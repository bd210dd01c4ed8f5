/** The one error class. Its table gives the HTTP status, the title and the documentation of every code. */
import type { NodeAddress } from "./ownership.ts";
import type { Right } from "./rights.ts";

/**
 * Every error code with its HTTP status and title.
 *
 * @example
 * ERROR_CODES.queue_full.status; // => 429
 */
export const ERROR_CODES = {
  invalid_request: { status: 400, title: "The request is not valid" },
  cursor_beyond_end: { status: 400, title: "The cursor is beyond the end of the log" },
  unauthorized: { status: 401, title: "A valid token is required" },
  host_not_allowed: { status: 403, title: "This host name is not allowed" },
  origin_not_allowed: { status: 403, title: "This origin is not allowed" },
  forbidden: { status: 403, title: "This may not be done here" },
  outside_roots: { status: 403, title: "The directory is outside the allowed roots" },
  not_found: { status: 404, title: "There is nothing at this address" },
  session_not_found: { status: 404, title: "There is no such session" },
  message_not_found: { status: 404, title: "There is no such message" },
  checkpoint_not_found: { status: 404, title: "There is no such checkpoint" },
  task_not_found: { status: 404, title: "There is no such task" },
  ask_not_found: { status: 404, title: "There is no such ask" },
  agent_not_found: { status: 404, title: "There is no such agent" },
  token_not_found: { status: 404, title: "There is no such token" },
  invitation_not_found: { status: 404, title: "There is no such invitation" },
  method_not_allowed: { status: 405, title: "This method is not allowed here" },
  session_exists: { status: 409, title: "A session with this id exists and differs" },
  session_closed: { status: 409, title: "The session is closed" },
  session_busy: { status: 409, title: "A turn is running" },
  message_exists: { status: 409, title: "A message with this id exists and differs" },
  message_not_queued: { status: 409, title: "The message is no longer waiting" },
  ask_answered: { status: 409, title: "Somebody answered first" },
  ask_closed: { status: 409, title: "The ask is closed" },
  workspace_conflict: { status: 409, title: "Somebody else has changed these files" },
  workspace_busy: { status: 409, title: "An agent works in this directory" },
  checkpoint_elsewhere: { status: 409, title: "The checkpoint is kept at another node" },
  checkpoints_off: { status: 409, title: "The session has no checkpoints" },
  env_required: { status: 409, title: "The session's environment values are needed again" },
  agent_not_installed: { status: 409, title: "The agent is not installed" },
  agent_not_signed_in: { status: 409, title: "The agent is not signed in" },
  conversation_lost: { status: 409, title: "The agent cannot take up the conversation any more" },
  agent_version: { status: 409, title: "The agent's version cannot be used" },
  token_exists: { status: 409, title: "A token with this name exists" },
  invitation_used: { status: 409, title: "The invitation was used before" },
  invitation_expired: { status: 410, title: "The invitation has expired" },
  body_too_large: { status: 413, title: "The request body is too large" },
  body_too_complex: { status: 413, title: "The request body has too many values" },
  unsupported_media_type: { status: 415, title: "The body must be JSON" },
  not_owner: { status: 421, title: "Another node has the session" },
  fork_too_large: { status: 422, title: "The conversation is too large to be copied" },
  worktree_impossible: { status: 422, title: "There can be no git worktree of this directory" },
  not_a_directory: { status: 422, title: "The path is not a directory" },
  unsupported: { status: 422, title: "The agent cannot do this" },
  option_not_offered: { status: 422, title: "The ask or the agent does not offer this" },
  upgrade_required: { status: 426, title: "This address is a WebSocket" },
  too_many_requests: { status: 429, title: "Too many requests" },
  queue_full: { status: 429, title: "Too many prompts are waiting" },
  too_many_sessions: { status: 429, title: "Too many sessions are open" },
  too_many_tokens: { status: 429, title: "There are too many tokens or invitations" },
  session_damaged: { status: 500, title: "What is stored of the session cannot be read" },
  database_damaged: { status: 500, title: "The database cannot be read" },
  workspace_failed: { status: 500, title: "The files could not be read or written" },
  internal: { status: 500, title: "Something went wrong in the daemon" },
  agent_failed: { status: 502, title: "The agent could not be started" },
  resume_failed: { status: 502, title: "The agent could not resume the conversation" },
  install_failed: { status: 502, title: "The agent could not be installed" },
  agent_timeout: { status: 504, title: "The agent did not answer in time" },
  shutting_down: { status: 503, title: "The daemon is shutting down" },
  events_lost: { status: 503, title: "The database has lost events" },
  session_moved: { status: 503, title: "Another node has taken the session over" },
  node_unreachable: { status: 503, title: "The node that has the session does not answer" },
  store_busy: { status: 503, title: "The database cannot be read just now" },
  store_unavailable: { status: 507, title: "The log cannot be written" },
} as const;

/** A code of the table. */
export type ErrorCode = keyof typeof ERROR_CODES;

const MARK = Symbol.for("interlingua.error");

/** What a problem document has besides code and detail. */
export interface ErrorExtras {
  /** Which fields are wrong, for `invalid_request`. */
  errors?: readonly { path: string; message: string }[];
  agents?: readonly string[];
  answer?: unknown;
  /** Files it is about. */
  paths?: readonly string[];
  /** The session that stands in the way. */
  session?: { readonly id: string; readonly title?: string };
  /** What was lacking, for `forbidden`. */
  right?: Right;
  /** Who has the session, for `not_owner`. */
  owner?: NodeAddress;
  retryAfterSeconds?: number;
  /** Of `agent_failed`: the reason lies elsewhere than in the conversation to resume: limits, sign-in, the network, a program. */
  keepsConversation?: boolean;
  cause?: unknown;
}

/**
 * Thrown anywhere, handled at the edge. `detail` tells a person what to do.
 *
 * @example
 * const error = new InterlinguaError("unsupported", "This agent takes no images. Send text.");
 * error.status; // => 422
 * InterlinguaError.isInstance(error); // => true
 */
export class InterlinguaError extends Error {
  readonly [MARK] = true;
  readonly code: ErrorCode;
  readonly extras: ErrorExtras;

  constructor(code: ErrorCode, detail: string, extras: ErrorExtras = {}) {
    super(detail, { cause: extras.cause });
    this.name = "InterlinguaError";
    this.code = code;
    this.extras = extras;
  }

  get status(): number {
    return ERROR_CODES[this.code].status;
  }

  /** Holds across copies of this package, where `instanceof` would not. */
  static isInstance(error: unknown): error is InterlinguaError {
    return typeof error === "object" && error !== null && MARK in error;
  }
}
