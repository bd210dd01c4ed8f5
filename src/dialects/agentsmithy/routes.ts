/** AgentSmithy's routes, under any prefix: one mount has a token and lies beside other dialects, another is a port of its own. */
import { z } from "@hono/zod-openapi";
import { ERROR_CODES, type ErrorCode } from "../../core/error.ts";
import { defineRoute, eventStream, json, jsonBody, optionalJsonBody } from "../../protocol/define-route.ts";
import { named } from "../../protocol/named-schema.ts";
import * as schemas from "./schemas.ts";

const tags = ["agentsmithy"];

const GUARD_CODES = ["unauthorized", "host_not_allowed", "origin_not_allowed", "too_many_requests"] as const;

const detailSchema = named(
  "SmithyRefusal",
  z.object({ detail: z.union([z.string(), z.looseObject({ message: z.string() })]) }),
);

/** Refusals have the form of FastAPI. */
function refusals(...codes: readonly ErrorCode[]) {
  const byStatus = Map.groupBy([...GUARD_CODES, ...codes], (code) => ERROR_CODES[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [
      status,
      {
        description: [...new Set(group)].map((code) => `\`${code}\`: ${ERROR_CODES[code].title}.`).join(" "),
        content: { "application/json": { schema: detailSchema } },
      },
    ]),
  );
}

export type SmithyRoutes = ReturnType<typeof createRoutes>;

/** @param prefix `/agentsmithy`, or nothing at the root of a port. */
export function createRoutes(prefix: string) {
  const dialogs = `${prefix}/api/dialogs`;
  const dialog = `${dialogs}/{id}`;
  return {
    sendSmithyMessage: defineRoute({
      method: "post",
      path: `${prefix}/api/chat`,
      operationId: "sendSmithyMessage",
      right: "session.prompt",
      summary: "Prompt, or answer a question, and follow the turn as AgentSmithy's events",
      description:
        "Without `dialog_id` it goes to the current dialog, or to a new one. The response ends with the turn, or where a " +
        "person is asked. A client that leaves before `done` stops its turn.",
      tags,
      request: { body: jsonBody(schemas.chatRequestSchema) },
      responses: {
        ...refusals(
          "invalid_request",
          "outside_roots",
          "session_not_found",
          "session_closed",
          "ask_answered",
          "env_required",
          "queue_full",
          "too_many_sessions",
          "store_unavailable",
        ),
        200: {
          description: "The events of the turn, or with `stream: false` one answer",
          content: {
            ...eventStream("", schemas.smithyEventSchema).content,
            ...json("", schemas.chatResponseSchema).content,
          },
        },
      },
    }),
    listSmithyDialogs: defineRoute({
      method: "get",
      path: dialogs,
      operationId: "listSmithyDialogs",
      right: "session.read",
      summary: "The dialogs: every session the mount may see",
      tags,
      request: { query: schemas.listDialogsQuerySchema },
      responses: { ...refusals("invalid_request"), 200: json("A page of dialogs", schemas.dialogListSchema) },
    }),
    createSmithyDialog: defineRoute({
      method: "post",
      path: dialogs,
      operationId: "createSmithyDialog",
      right: "session.create",
      summary: "A new dialog, which becomes the current one",
      tags,
      request: { body: optionalJsonBody(schemas.createDialogSchema) },
      responses: {
        ...refusals("invalid_request", "too_many_sessions", "store_unavailable"),
        200: json("Its id", schemas.createdDialogSchema),
      },
    }),
    getCurrentSmithyDialog: defineRoute({
      method: "get",
      path: `${dialogs}/current`,
      operationId: "getCurrentSmithyDialog",
      right: "session.read",
      summary: "The current dialog, if there is one",
      tags,
      responses: { ...refusals(), 200: json("The dialog", schemas.currentDialogSchema) },
    }),
    setCurrentSmithyDialog: defineRoute({
      method: "patch",
      path: `${dialogs}/current`,
      operationId: "setCurrentSmithyDialog",
      right: "session.settings",
      summary: "Make a dialog the current one",
      tags,
      request: { query: schemas.setCurrentQuerySchema },
      responses: {
        ...refusals("invalid_request", "session_not_found", "store_unavailable"),
        200: json("It is", schemas.okSchema),
      },
    }),
    getSmithyDialog: defineRoute({
      method: "get",
      path: dialog,
      operationId: "getSmithyDialog",
      right: "session.read",
      summary: "One dialog",
      tags,
      request: { params: schemas.dialogParams },
      responses: { ...refusals("session_not_found"), 200: json("The dialog", schemas.dialogSchema) },
    }),
    changeSmithyDialog: defineRoute({
      method: "patch",
      path: dialog,
      operationId: "changeSmithyDialog",
      right: "session.settings",
      summary: "Rename a dialog",
      tags,
      request: { params: schemas.dialogParams, body: jsonBody(schemas.changeDialogSchema) },
      responses: {
        ...refusals("invalid_request", "session_not_found", "session_closed", "store_unavailable"),
        200: json("It is renamed", schemas.okSchema),
      },
    }),
    deleteSmithyDialog: defineRoute({
      method: "delete",
      path: dialog,
      operationId: "deleteSmithyDialog",
      right: "session.delete",
      summary: "Delete a dialog: the session with its log",
      tags,
      request: { params: schemas.dialogParams },
      responses: {
        ...refusals("session_not_found", "store_unavailable"),
        200: json("It is deleted", schemas.okSchema),
      },
    }),
    listSmithyHistory: defineRoute({
      method: "get",
      path: `${dialog}/history`,
      operationId: "listSmithyHistory",
      right: "session.read",
      summary: "What was said and done, page by page from the end",
      description:
        "Events in the order in which they happened, those of the running turn included. `before` is the `first_idx` of the " +
        "page after it.",
      tags,
      request: { params: schemas.dialogParams, query: schemas.historyQuerySchema },
      responses: {
        ...refusals("invalid_request", "session_not_found"),
        200: json("A page, oldest first", schemas.historySchema),
      },
    }),
    listSmithyCheckpoints: defineRoute({
      method: "get",
      path: `${dialog}/checkpoints`,
      operationId: "listSmithyCheckpoints",
      right: "session.read",
      summary: "The checkpoints of a dialog, oldest first",
      tags,
      request: { params: schemas.dialogParams },
      responses: {
        ...refusals("session_not_found"),
        200: json("The checkpoints", schemas.checkpointListSchema),
      },
    }),
    getSmithySession: defineRoute({
      method: "get",
      path: `${dialog}/session`,
      operationId: "getSmithySession",
      right: "session.read",
      summary: "What the agent changed and nobody has approved yet",
      tags,
      request: { params: schemas.dialogParams },
      responses: {
        ...refusals("session_not_found"),
        200: json("The changed files", schemas.sessionStatusSchema),
      },
    }),
    restoreSmithyCheckpoint: defineRoute({
      method: "post",
      path: `${dialog}/restore`,
      operationId: "restoreSmithyCheckpoint",
      right: "session.restore",
      summary: "Undo what the dialog changed since a checkpoint",
      description: "Files that somebody else has changed since stay as they are; `detail` names them.",
      tags,
      request: { params: schemas.dialogParams, body: jsonBody(schemas.restoreRequestSchema) },
      responses: {
        ...refusals(
          "invalid_request",
          "session_not_found",
          "checkpoint_not_found",
          "workspace_busy",
          "checkpoints_off",
          "store_unavailable",
        ),
        200: json("Done", schemas.restoreResponseSchema),
      },
    }),
    approveSmithySession: defineRoute({
      method: "post",
      path: `${dialog}/approve`,
      operationId: "approveSmithySession",
      right: "session.restore",
      summary: "Approve what the agent changed",
      tags,
      request: { params: schemas.dialogParams, body: optionalJsonBody(schemas.approveRequestSchema) },
      responses: {
        ...refusals(
          "invalid_request",
          "session_not_found",
          "workspace_busy",
          "checkpoints_off",
          "store_unavailable",
        ),
        200: json("Done", schemas.approveResponseSchema),
      },
    }),
    resetSmithySession: defineRoute({
      method: "post",
      path: `${dialog}/reset`,
      operationId: "resetSmithySession",
      right: "session.restore",
      summary: "Undo what the agent changed since the last approval",
      tags,
      request: { params: schemas.dialogParams },
      responses: {
        ...refusals("session_not_found", "workspace_busy", "checkpoints_off", "store_unavailable"),
        200: json("Done", schemas.resetResponseSchema),
      },
    }),
    listSmithyToolResults: defineRoute({
      method: "get",
      path: `${dialog}/tool-results`,
      operationId: "listSmithyToolResults",
      right: "session.read",
      summary: "The results of all tool calls, without their contents",
      tags,
      request: { params: schemas.dialogParams },
      responses: {
        ...refusals("session_not_found"),
        200: json("The results", z.array(schemas.listedToolResultSchema)),
      },
    }),
    getSmithyToolResult: defineRoute({
      method: "get",
      path: `${dialog}/tool-results/{call}`,
      operationId: "getSmithyToolResult",
      right: "session.read",
      summary: "The whole result of a tool call",
      tags,
      request: { params: schemas.toolResultParams },
      responses: {
        ...refusals("session_not_found", "not_found"),
        200: json("The result", schemas.toolResultSchema),
      },
    }),
    getSmithyConfig: defineRoute({
      method: "get",
      path: `${prefix}/api/config`,
      operationId: "getSmithyConfig",
      right: "session.read",
      summary: "The models there are, in the form of a config",
      tags,
      responses: { ...refusals(), 200: json("The config, without keys", schemas.configSchema) },
    }),
    changeSmithyConfig: defineRoute({
      method: "put",
      path: `${prefix}/api/config`,
      operationId: "changeSmithyConfig",
      right: "session.settings",
      summary: "Choose the model of the current dialog",
      tags,
      request: { body: jsonBody(schemas.changeConfigSchema) },
      responses: {
        ...refusals("invalid_request", "store_unavailable"),
        200: json("The config", schemas.changedConfigSchema),
      },
    }),
    renameInSmithyConfig: defineRoute({
      method: "post",
      path: `${prefix}/api/config/rename`,
      operationId: "renameInSmithyConfig",
      right: "session.settings",
      summary: "Refused: agents name their models",
      tags,
      request: { body: optionalJsonBody(schemas.renameSchema) },
      responses: { ...refusals("invalid_request"), 200: json("Never", schemas.okSchema) },
    }),
    getSmithyHealth: defineRoute({
      method: "get",
      path: `${prefix}/health`,
      operationId: "getSmithyHealth",
      right: "service.read",
      summary: "Whether the daemon works",
      tags,
      responses: { ...refusals(), 200: json("It answers", schemas.healthSchema) },
    }),
  };
}
