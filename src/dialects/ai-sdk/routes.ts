import { ERROR_CODES, type ErrorCode } from "../../core/error.ts";
import { defineRoute, eventStream, json, optionalJsonBody } from "../../protocol/define-route.ts";
import { messageParams, sessionParams } from "../../protocol/schemas/parameter.ts";
import { interruptedSchema, interruptSchema } from "../../protocol/schemas/session.ts";
import {
  chatMessageListSchema,
  chatMessageQuerySchema,
  chatMessageSchema,
  chatMessageStreamQuerySchema,
  chatRequestSchema,
  chatStreamParams,
  chatStreamQuerySchema,
  listChatMessagesQuerySchema,
  sendChatQuerySchema,
  uiMessageChunkSchema,
} from "./schemas.ts";

const tags = ["chat"];

const GUARD_CODES = ["unauthorized", "host_not_allowed", "origin_not_allowed", "too_many_requests"] as const;

/** Clients of the AI SDK show the whole body of a refusal to a person, so here it is one sentence of plain text. */
function sentences(...codes: readonly ErrorCode[]) {
  const byStatus = Map.groupBy([...GUARD_CODES, ...codes], (code) => ERROR_CODES[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [
      status,
      {
        description: [...new Set(group)].map((code) => `\`${code}\`: ${ERROR_CODES[code].title}.`).join(" "),
        content: { "text/plain": { schema: { type: "string" as const } } },
      },
    ]),
  );
}

export const sendChat = defineRoute({
  method: "post",
  path: "/api/chat",
  operationId: "sendChat",
  right: "session.prompt",
  fieldRights: { include: { raw: "session.raw" } },
  summary: "Prompt, answer, edit or regenerate as `useChat` does, and follow the answer",
  description:
    "For the AI SDK's `DefaultChatTransport`, versions 6 and 7. An unknown id makes a session. The response is one " +
    "assistant message; it ends where a person is asked, and the request that carries the answer goes on with the " +
    "same message. Leaving does not stop the turn. Errors are plain text, with the code in `x-interlingua-error`.",
  tags,
  request: {
    query: sendChatQuerySchema,
    body: {
      required: true,
      // Some transports send JSON without saying so.
      content: {
        "application/json": { schema: chatRequestSchema },
        "text/plain": { schema: chatRequestSchema },
      },
    },
  },
  responses: {
    ...sentences(
      "invalid_request",
      "body_too_large",
      "outside_roots",
      "agent_not_found",
      "message_not_found",
      "session_closed",
      "session_exists",
      "session_busy",
      "message_exists",
      "ask_answered",
      "ask_closed",
      "ask_not_found",
      "env_required",
      "not_a_directory",
      "unsupported",
      "option_not_offered",
      "too_many_sessions",
      "store_unavailable",
    ),
    200: eventStream("The UI message stream", uiMessageChunkSchema),
  },
});

export const streamChat = defineRoute({
  method: "get",
  path: "/api/chat/{id}/stream",
  operationId: "streamChat",
  right: "session.read",
  fieldRights: { include: { raw: "session.raw" } },
  summary: "The assistant message that is being written, from its first chunk on",
  description:
    "For `resumeStream`. With the id of a run, from the header `x-workflow-run-id` of a response, it is that response " +
    "again, also after its end; `startIndex` leaves out what the client has.",
  tags,
  request: { params: chatStreamParams, query: chatStreamQuerySchema },
  responses: {
    ...sentences("invalid_request"),
    200: eventStream("The UI message stream", uiMessageChunkSchema),
    204: {
      description: "Nothing is being written: no turn runs, a person is asked, or there is no such chat",
    },
  },
});

export const stopChat = defineRoute({
  method: "post",
  path: "/api/chat/{id}/stop",
  operationId: "stopChat",
  right: "session.stop",
  summary: "Stop the running turn; waiting prompts run next",
  tags,
  request: { params: sessionParams, body: optionalJsonBody(interruptSchema) },
  responses: {
    ...sentences("invalid_request", "session_not_found", "store_unavailable"),
    200: json("Whether a turn was running", interruptedSchema),
  },
});

export const listChatMessages = defineRoute({
  method: "get",
  path: "/api/chat/{id}/messages",
  operationId: "listChatMessages",
  right: "session.read",
  summary: "The conversation as UI messages, oldest first",
  description:
    "A page of the newest messages, or of those before `before`, to begin `useChat` with. The message being written now " +
    "is left out; one that waits for a person is in, with its open part.",
  tags,
  request: { params: sessionParams, query: listChatMessagesQuerySchema },
  responses: {
    ...sentences("invalid_request", "session_not_found", "message_not_found"),
    200: json("A page of messages", chatMessageListSchema),
  },
});

export const getChatMessage = defineRoute({
  method: "get",
  path: "/api/chat/{id}/messages/{message}",
  operationId: "getChatMessage",
  right: "session.read",
  summary: "One UI message, on request with the chunks that make it",
  tags,
  request: { params: messageParams, query: chatMessageQuerySchema },
  responses: {
    ...sentences("invalid_request", "session_not_found", "message_not_found"),
    200: json("The message", chatMessageSchema),
  },
});

export const streamChatMessage = defineRoute({
  method: "get",
  path: "/api/chat/{id}/messages/{message}/stream",
  operationId: "streamChatMessage",
  right: "session.read",
  fieldRights: { include: { raw: "session.raw" } },
  summary: "One assistant message from its first chunk on, until it is complete",
  description:
    "From the log, then live, also after its end. `message` is the assistant message, or the prompt it answers. It stays " +
    "open while the prompt waits and while a person is asked; the answer comes by another request. `startIndex` leaves " +
    "out what the client has.",
  tags,
  request: { params: messageParams, query: chatMessageStreamQuerySchema },
  responses: {
    ...sentences("invalid_request", "session_not_found", "message_not_found"),
    200: eventStream("The UI message stream", uiMessageChunkSchema),
  },
});
