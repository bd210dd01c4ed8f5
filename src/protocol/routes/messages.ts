import { defineRoute, eventStream, json, jsonBody } from "../define-route.ts";
import { eventSchema, promptStreamQuerySchema } from "../schemas/event.ts";
import {
  changePromptSchema,
  listMessagesQuerySchema,
  messageDetailsSchema,
  messageListSchema,
  messageQuerySchema,
  promptReceiptSchema,
  queuedPromptSchema,
  queueQuerySchema,
  queueSchema,
  releasedQueueSchema,
  sendPromptSchema,
  sentPromptSchema,
} from "../schemas/message.ts";
import { messageParams, sessionParams } from "../schemas/parameter.ts";

const tags = ["messages"];

const sending = {
  method: "post",
  tags,
  request: { params: sessionParams, body: jsonBody(sendPromptSchema) },
  fails: [
    "outside_roots",
    "session_not_found",
    "session_closed",
    "session_busy",
    "message_exists",
    "env_required",
    "unsupported",
    "option_not_offered",
    "store_unavailable",
  ],
} as const;

export const sendMessage = defineRoute({
  ...sending,
  path: "/v1/sessions/{id}/messages",
  operationId: "sendMessage",
  right: "session.prompt",
  summary: "Prompt the agent; answers when the prompt is safely in the log",
  responses: { 202: json("The prompt was accepted", promptReceiptSchema) },
});

export const streamMessage = defineRoute({
  ...sending,
  path: "/v1/sessions/{id}/messages/stream",
  operationId: "streamMessage",
  right: "session.prompt",
  fieldRights: { include: { raw: "session.raw" } },
  summary: "Prompt the agent and follow until the turn that takes it up has ended",
  description:
    "The events from this prompt's `prompt.accepted` through the `turn.ended` of its turn (or its " +
    "`prompt.withdrawn`), with those of other turns left out. A repeated request with the same id joins the same " +
    "stream from its beginning. Leaving does not stop the turn.",
  request: { ...sending.request, query: promptStreamQuerySchema },
  responses: { 200: eventStream("The events of the turn", eventSchema) },
});

export const listMessages = defineRoute({
  method: "get",
  path: "/v1/sessions/{id}/messages",
  operationId: "listMessages",
  right: "session.read",
  summary: "The conversation, oldest first",
  description:
    "A page of the newest messages, or of those before `before`. The message being written now is left out; one " +
    "that waits for a person is in, with its open part.",
  tags,
  request: { params: sessionParams, query: listMessagesQuerySchema },
  responses: { 200: json("A page of messages", messageListSchema) },
  fails: ["invalid_request", "session_not_found", "message_not_found"],
});

export const getMessage = defineRoute({
  method: "get",
  path: "/v1/sessions/{id}/messages/{message}",
  operationId: "getMessage",
  right: "session.read",
  fieldRights: { include: { raw: "session.raw" } },
  summary: "One message, on request with what it was made from",
  tags,
  request: { params: messageParams, query: messageQuerySchema },
  responses: { 200: json("The message", messageDetailsSchema) },
  fails: ["invalid_request", "session_not_found", "message_not_found"],
});

export const listQueue = defineRoute({
  method: "get",
  path: "/v1/sessions/{id}/queue",
  operationId: "listQueue",
  right: "session.read",
  summary: "Prompts that wait, in the order they will run",
  tags,
  request: { params: sessionParams, query: queueQuerySchema },
  responses: { 200: json("The queue", queueSchema) },
  fails: ["session_not_found"],
});

export const changeQueued = defineRoute({
  method: "patch",
  path: "/v1/sessions/{id}/queue/{message}",
  operationId: "changeQueued",
  right: "queue.own",
  summary: "Change what a waiting prompt says, or when it runs",
  description:
    "Give `text` or `parts` for what it says, or `before` for its place. To get ahead of prompts of others takes the " +
    "right `queue.any`.",
  tags,
  request: { params: messageParams, body: jsonBody(changePromptSchema) },
  responses: { 200: json("The prompt", queuedPromptSchema) },
  fails: ["session_not_found", "message_not_found", "message_not_queued", "store_unavailable"],
});

export const sendQueued = defineRoute({
  method: "post",
  path: "/v1/sessions/{id}/queue/{message}/send",
  operationId: "sendQueued",
  right: "queue.own",
  summary: "Send a waiting prompt now",
  description:
    "The running turn gets it where the agent can take it. Else it becomes the next prompt and the turn is stopped, " +
    "which takes the right `session.stop`, and `queue.any` where it gets ahead of prompts of others.",
  tags,
  request: { params: messageParams },
  responses: { 202: json("What becomes of it", sentPromptSchema) },
  fails: ["session_not_found", "message_not_found", "message_not_queued", "store_unavailable"],
});

export const withdrawQueued = defineRoute({
  method: "delete",
  path: "/v1/sessions/{id}/queue/{message}",
  operationId: "withdrawQueued",
  right: "queue.own",
  summary: "Take a waiting prompt back",
  tags,
  request: { params: messageParams },
  responses: { 204: { description: "It will not run" } },
  fails: ["session_not_found", "message_not_found", "message_not_queued", "store_unavailable"],
});

export const releaseQueue = defineRoute({
  method: "post",
  path: "/v1/sessions/{id}/queue/release",
  operationId: "releaseQueue",
  right: "session.prompt",
  summary: "Let prompts that were held run",
  tags,
  request: { params: sessionParams },
  responses: { 200: json("Whether prompts were held", releasedQueueSchema) },
  fails: ["session_not_found", "store_unavailable"],
});
