import { defineRoute, json, jsonBody, optionalJsonBody } from "../define-route.ts";
import {
  askListQuerySchema,
  askListSchema,
  askReplySchema,
  askViewSchema,
  permissionReplySchema,
  questionRejectSchema,
  questionReplySchema,
} from "../schemas/ask.ts";
import { askParams } from "../schemas/parameter.ts";

const tags = ["asks"];

const replying = {
  method: "post",
  tags,
  responses: { 200: json("The ask; an equal answer succeeds again", askViewSchema) },
  fails: [
    "session_not_found",
    "ask_not_found",
    "ask_answered",
    "ask_closed",
    "option_not_offered",
    "store_unavailable",
  ],
} as const;

export const listAsks = defineRoute({
  method: "get",
  path: "/v1/asks",
  operationId: "listAsks",
  right: "session.read",
  summary: "Everything that waits for a person, oldest first",
  tags,
  request: { query: askListQuerySchema },
  responses: { 200: json("The open asks", askListSchema) },
  fails: ["invalid_request", "session_not_found"],
});

export const replyToAsk = defineRoute({
  ...replying,
  path: "/v1/sessions/{id}/asks/{ask}/reply",
  operationId: "replyToAsk",
  right: "ask.question",
  summary: "Answer an ask of any kind; the first answer wins",
  request: { params: askParams, body: jsonBody(askReplySchema) },
});

export const replyToPermission = defineRoute({
  ...replying,
  path: "/v1/sessions/{id}/permissions/{ask}/reply",
  operationId: "replyToPermission",
  right: "ask.permission",
  summary: "Allow or reject",
  request: { params: askParams, body: jsonBody(permissionReplySchema) },
});

export const replyToQuestion = defineRoute({
  ...replying,
  path: "/v1/sessions/{id}/questions/{ask}/reply",
  operationId: "replyToQuestion",
  right: "ask.question",
  summary: "Answer the questions",
  request: { params: askParams, body: jsonBody(questionReplySchema) },
});

export const rejectQuestion = defineRoute({
  ...replying,
  path: "/v1/sessions/{id}/questions/{ask}/reject",
  operationId: "rejectQuestion",
  right: "ask.question",
  summary: "Decline to answer",
  request: { params: askParams, body: optionalJsonBody(questionRejectSchema) },
});
