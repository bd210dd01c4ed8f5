/**
 * `interlingua/dialect`: what a dialect is made of, for client protocols from outside. The port, routes with their schemas, and what
 * the log says. `interlingua/testkit` tests what is made of it.
 *
 * @module
 */

// The port to client protocols.

export type * from "../dialects/dialect.ts";

// How a module that the config names is made into a dialect.

export type {
  AnyDialectDefinition,
  DialectContext,
  DialectDefinition,
  DialectModule,
} from "../dialects/outside/dialect-module.ts";

// Routes and schemas.

export { z } from "@hono/zod-openapi";
export { RIGHTS, type Right } from "../core/rights.ts";
export {
  defineRoute,
  eventStream,
  json,
  jsonBody,
  optionalJsonBody,
} from "../protocol/define-route.ts";
export type { Problem } from "../protocol/schemas/problem.ts";
export {
  commentFrame,
  cursorFrame,
  dataFrame,
  EVENT_STREAM_HEADERS,
  eventFrame,
} from "../protocol/sse-frame.ts";

// What the log says, and what a client says back.

export type { AskAnswer, AskKind, AskOption, AskQuestion } from "../core/ask.ts";
export type { EventOf, EventType, SessionEvent } from "../core/event.ts";
export { messageIdSchema, sessionIdSchema } from "../core/identifier.ts";
export type { MessageRecord } from "../core/message-record.ts";
export type { Principal } from "../core/principal.ts";
export { type PromptPart, promptPartSchema, promptText } from "../core/prompt-part.ts";
export type { SessionRow } from "../core/store.ts";

// Errors: one class, one table.

export { ERROR_CODES, type ErrorCode, InterlinguaError } from "../core/error.ts";
