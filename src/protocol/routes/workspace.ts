import { defineRoute, json, jsonBody, optionalJsonBody } from "../define-route.ts";
import { sessionParams } from "../schemas/parameter.ts";
import {
  approvedSchema,
  changesQuerySchema,
  changesSchema,
  checkpointListSchema,
  collectedSchema,
  resetSchema,
  restoredSchema,
  restoreSchema,
  workspacesSchema,
} from "../schemas/workspace.ts";

const tags = ["workspace"];

const changing = [
  "session_not_found",
  "session_closed",
  "checkpoint_not_found",
  "checkpoints_off",
  "workspace_busy",
  "workspace_conflict",
  "workspace_failed",
  "session_busy",
  "env_required",
  "store_unavailable",
] as const;

export const listCheckpoints = defineRoute({
  method: "get",
  path: "/v1/sessions/{id}/checkpoints",
  operationId: "listCheckpoints",
  right: "session.read",
  summary: "The checkpoints of a session's files, oldest first",
  tags,
  request: { params: sessionParams },
  responses: { 200: json("The checkpoints", checkpointListSchema) },
  fails: ["session_not_found"],
});

export const listChanges = defineRoute({
  method: "get",
  path: "/v1/sessions/{id}/changes",
  operationId: "listChanges",
  right: "session.read",
  summary: "What turns of a session changed, since the last approval when nothing is said",
  tags,
  request: { params: sessionParams, query: changesQuerySchema },
  responses: { 200: json("The files that changed", changesSchema) },
  fails: ["session_not_found", "checkpoint_not_found", "checkpoints_off", "workspace_failed"],
});

export const restore = defineRoute({
  method: "post",
  path: "/v1/sessions/{id}/restore",
  operationId: "restore",
  right: "session.restore",
  summary: "Undo what turns of this session changed since a checkpoint",
  description:
    "File by file, and only where the file still is what the agent left. A checkpoint is taken first, so every restore can " +
    "be undone.",
  tags,
  request: { params: sessionParams, body: jsonBody(restoreSchema) },
  responses: { 200: json("What went back", restoredSchema) },
  fails: changing,
});

export const approve = defineRoute({
  method: "post",
  path: "/v1/sessions/{id}/approve",
  operationId: "approve",
  right: "session.restore",
  summary: "Accept what turns changed since the last approval",
  tags,
  request: { params: sessionParams },
  responses: { 200: json("The checkpoint of what was accepted", approvedSchema) },
  fails: changing,
});

export const reset = defineRoute({
  method: "post",
  path: "/v1/sessions/{id}/reset",
  operationId: "reset",
  right: "session.restore",
  summary: "Undo what turns changed since the last approval",
  tags,
  request: { params: sessionParams, body: optionalJsonBody(resetSchema) },
  responses: { 200: json("What went back", restoredSchema) },
  fails: changing,
});

export const listWorkspaces = defineRoute({
  method: "get",
  path: "/v1/workspaces",
  operationId: "listWorkspaces",
  right: "service.operate",
  summary: "What the checkpoints of all sessions take, by directory",
  tags,
  responses: { 200: json("The directories that have checkpoints", workspacesSchema) },
});

export const collectGarbage = defineRoute({
  method: "post",
  path: "/v1/workspaces/gc",
  operationId: "collectGarbage",
  right: "service.operate",
  summary: "Drop checkpoints that are too old or too many, and pack the rest",
  description:
    "The daemon does so by itself now and then. A checkpoint that is taken meanwhile goes first: its directory is done the " +
    "next time.",
  tags,
  responses: { 200: json("What was gained", collectedSchema) },
  fails: ["shutting_down"],
});
