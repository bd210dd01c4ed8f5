/**
 * What crosses the wire: schemas, the route table and its OpenAPI document, frames and cursors. Runs in browsers.
 * test/exports.test.ts lists the names.
 */

// Routes: ours, and how a dialect defines its own.

export {
  defineRoute,
  eventStream,
  json,
  jsonBody,
  optionalJsonBody,
  type RouteInput,
  type RouteReply,
} from "./define-route.ts";
export { type DocumentedDialect, openApiDocument } from "./openapi-document.ts";
export { type RouteName, type Routes, routes } from "./route-table.ts";

// Frames and cursors.

export { commentFrame, cursorFrame, dataFrame, EVENT_STREAM_HEADERS, eventFrame } from "./sse-frame.ts";
export { formatVectorCursor, MAX_VECTOR_SESSIONS, parseVectorCursor } from "./vector-cursor.ts";

// Requests and answers.

export {
  askListQuerySchema,
  askListSchema,
  askReplySchema,
  askViewSchema,
  permissionReplySchema,
  questionRejectSchema,
  questionReplySchema,
} from "./schemas/ask.ts";
export {
  eventPageQuerySchema,
  eventPageSchema,
  eventSchema,
  rawPageQuerySchema,
  rawPageSchema,
  rawRecordSchema,
  streamQuerySchema,
  vectorQuerySchema,
} from "./schemas/event.ts";
export { type FeedFrame, feedFrameSchema, feedQuerySchema, watchingSchema } from "./schemas/feed.ts";
export {
  changePromptSchema,
  listMessagesQuerySchema,
  messageDetailsSchema,
  messageListSchema,
  messageQuerySchema,
  messageSchema,
  promptReceiptSchema,
  queuedPromptSchema,
  queueQuerySchema,
  queueSchema,
  sendPromptSchema,
} from "./schemas/message.ts";
export { type PresenceView, presenceSchema, type Viewer, viewerSchema } from "./schemas/presence.ts";
export { type Problem, problemSchema } from "./schemas/problem.ts";
export { promptPartSchema } from "./schemas/prompt-part.ts";
export {
  agentListSchema,
  agentViewSchema,
  healthSchema,
  type InstallationFrame,
  installationFrameSchema,
  type UsageKey,
  usageQuerySchema,
  usageSchema,
} from "./schemas/service.ts";
export {
  createSessionSchema,
  forkSchema,
  interruptedSchema,
  interruptSchema,
  listSessionsQuerySchema,
  rewindSchema,
  rewoundSchema,
  sessionDetailsSchema,
  sessionListSchema,
  sessionViewSchema,
  updateSessionSchema,
} from "./schemas/session.ts";
