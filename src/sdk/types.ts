/** The words of the wire, as types. */
import type { z } from "@hono/zod-openapi";
import type { askViewSchema } from "../protocol/schemas/ask.ts";
import type { eventSchema } from "../protocol/schemas/event.ts";
import type { messageSchema, promptPartSchema, promptReceiptSchema } from "../protocol/schemas/message.ts";
import type { sessionDetailsSchema, sessionViewSchema } from "../protocol/schemas/session.ts";
import type { RouteAnswer, RouteRequest } from "./routes.ts";

export type { FeedFrame } from "../protocol/schemas/feed.ts";
export type { Problem } from "../protocol/schemas/problem.ts";
export type { InstallationFrame } from "../protocol/schemas/service.ts";

/** Something that happened in a session, numbered by `seq`. */
export type SessionEvent = z.infer<typeof eventSchema>;
export type EventOf<Type extends SessionEvent["type"]> = Extract<SessionEvent, { type: Type }>;
/** A message of the conversation, in our own language. */
export type Message = z.infer<typeof messageSchema>;
export type PromptPart = z.infer<typeof promptPartSchema>;
export type PromptReceipt = z.infer<typeof promptReceiptSchema>;
/** A session as lists show it. */
export type SessionView = z.infer<typeof sessionViewSchema>;
/** A session with what its agent told about itself. */
export type SessionDetails = z.infer<typeof sessionDetailsSchema>;
/** What waits for a person. */
export type AskView = z.infer<typeof askViewSchema>;
export type CreateSession = RouteRequest<"POST /v1/sessions">["body"];
export type UpdateSession = RouteRequest<"PATCH /v1/sessions/{id}">["body"];
export type AskReply = RouteRequest<"POST /v1/sessions/{id}/asks/{ask}/reply">["body"];
export type Agent = RouteAnswer<"GET /v1/agents/{agent}">;
