import { defineRoute, json, jsonBody, optionalJsonBody } from "../define-route.ts";
import { sessionParams } from "../schemas/parameter.ts";
import {
  createSessionSchema,
  forkSchema,
  interruptedSchema,
  interruptSchema,
  listSessionsQuerySchema,
  rewindSchema,
  rewoundSchema,
  sessionDetailsSchema,
  sessionListSchema,
  updateSessionSchema,
} from "../schemas/session.ts";

const tags = ["sessions"];

const creation = {
  method: "post",
  tags,
  responses: {
    201: json("The session was made", sessionDetailsSchema),
    200: json("The same request made it before", sessionDetailsSchema),
  },
  fails: [
    "outside_roots",
    "not_a_directory",
    "agent_not_found",
    "session_exists",
    "unsupported",
    "worktree_impossible",
    "option_not_offered",
    "too_many_sessions",
    "store_unavailable",
  ],
} as const;

export const createSession = defineRoute({
  ...creation,
  path: "/v1/sessions",
  operationId: "createSession",
  right: "session.create",
  summary: "Make a session",
  request: { body: jsonBody(createSessionSchema) },
});

export const createNamedSession = defineRoute({
  ...creation,
  path: "/v1/sessions/{id}",
  operationId: "createNamedSession",
  right: "session.create",
  summary: "Make a session with a chosen id",
  request: { params: sessionParams, body: jsonBody(createSessionSchema) },
});

export const listSessions = defineRoute({
  method: "get",
  path: "/v1/sessions",
  operationId: "listSessions",
  right: "session.read",
  summary: "List sessions, the last changed first",
  tags,
  request: { query: listSessionsQuerySchema },
  responses: { 200: json("A page of sessions", sessionListSchema) },
  fails: ["invalid_request"],
});

export const getSession = defineRoute({
  method: "get",
  path: "/v1/sessions/{id}",
  operationId: "getSession",
  right: "session.read",
  summary: "One session with what its agent told about itself",
  tags,
  request: { params: sessionParams },
  responses: { 200: json("The session", sessionDetailsSchema) },
  fails: ["session_not_found"],
});

export const updateSession = defineRoute({
  method: "patch",
  path: "/v1/sessions/{id}",
  operationId: "updateSession",
  right: "session.settings",
  summary: "Change title, model, mode, settings or environment, pin, archive or close the session",
  tags,
  request: { params: sessionParams, body: jsonBody(updateSessionSchema) },
  responses: { 200: json("The session", sessionDetailsSchema) },
  fails: [
    "session_not_found",
    "session_closed",
    "unsupported",
    "option_not_offered",
    "agent_timeout",
    "store_unavailable",
  ],
});

export const attachSession = defineRoute({
  method: "post",
  path: "/v1/sessions/{id}/attach",
  operationId: "attachSession",
  right: "session.attach",
  summary: "Start the agent without a prompt, and wait until it is ready",
  description:
    "The first prompt then finds a running agent, and what the agent offers is known before it: models, modes, " +
    "commands, settings. An agent that runs is left as it is. One that stays idle is detached as ever.",
  tags,
  request: { params: sessionParams },
  responses: { 200: json("The session, with what its agent offers", sessionDetailsSchema) },
  fails: [
    "outside_roots",
    "session_not_found",
    "agent_not_found",
    "session_closed",
    "env_required",
    "agent_not_installed",
    "agent_not_signed_in",
    "agent_version",
    "conversation_lost",
    "not_a_directory",
    "unsupported",
    "too_many_sessions",
    "agent_failed",
    "resume_failed",
    "install_failed",
    "store_unavailable",
  ],
});

export const detachSession = defineRoute({
  method: "post",
  path: "/v1/sessions/{id}/detach",
  operationId: "detachSession",
  right: "session.attach",
  summary: "End an idle agent; the next prompt starts it again",
  description:
    "Frees the memory of an agent and its place among those that may run at once. An agent that works is left as it is.",
  tags,
  request: { params: sessionParams },
  responses: { 200: json("The session", sessionDetailsSchema) },
  fails: ["session_not_found", "session_busy", "store_unavailable"],
});

export const deleteSession = defineRoute({
  method: "delete",
  path: "/v1/sessions/{id}",
  operationId: "deleteSession",
  right: "session.delete",
  summary: "End the agent and remove log and raw records",
  tags,
  request: { params: sessionParams },
  responses: { 204: { description: "It is gone" } },
  fails: ["session_not_found"],
});

export const interrupt = defineRoute({
  method: "post",
  path: "/v1/sessions/{id}/interrupt",
  operationId: "interrupt",
  right: "session.stop",
  summary: "Stop the running turn; waiting prompts run next, or are held",
  tags,
  request: { params: sessionParams, body: optionalJsonBody(interruptSchema) },
  responses: { 200: json("Whether a turn was running", interruptedSchema) },
  fails: ["session_not_found", "store_unavailable"],
});

export const rewind = defineRoute({
  method: "post",
  path: "/v1/sessions/{id}/rewind",
  operationId: "rewind",
  right: "session.rewrite",
  summary: "Take a user message and everything after it out of the conversation",
  tags,
  request: { params: sessionParams, body: jsonBody(rewindSchema) },
  responses: { 200: json("What was rewound", rewoundSchema) },
  fails: ["session_not_found", "message_not_found", "session_busy", "session_closed", "store_unavailable"],
});

export const forkSession = defineRoute({
  method: "post",
  path: "/v1/sessions/{id}/fork",
  operationId: "forkSession",
  right: "session.fork",
  summary: "Make a new session that begins with a copy of this conversation",
  description:
    "The session stays as it is. The new one's agent goes on from a copy of its own conversation where it can, else from " +
    "a written account that it gets with the first prompt; a `notice` says which. With `worktree` it works in a git " +
    "worktree of its own, on a new branch; a `notice` names it.",
  tags,
  request: { params: sessionParams, body: optionalJsonBody(forkSchema) },
  responses: { 201: json("The new session", sessionDetailsSchema) },
  fails: [
    "outside_roots",
    "not_a_directory",
    "session_not_found",
    "message_not_found",
    "fork_too_large",
    "worktree_impossible",
    "store_unavailable",
  ],
});
