import { defineRoute, eventStream, json } from "../define-route.ts";
import {
  eventPageQuerySchema,
  eventPageSchema,
  eventSchema,
  rawPageQuerySchema,
  rawPageSchema,
  streamQuerySchema,
  vectorQuerySchema,
} from "../schemas/event.ts";
import { feedFrameSchema, feedQuerySchema } from "../schemas/feed.ts";
import { sessionParams } from "../schemas/parameter.ts";

const tags = ["events"];

export const listEvents = defineRoute({
  method: "get",
  path: "/v1/sessions/{id}/events",
  operationId: "listEvents",
  right: "session.read",
  fieldRights: { include: { raw: "session.raw" } },
  summary: "A page of the log",
  tags,
  request: { params: sessionParams, query: eventPageQuerySchema },
  responses: { 200: json("A page of events", eventPageSchema) },
  fails: ["invalid_request", "cursor_beyond_end", "session_not_found"],
});

export const streamEvents = defineRoute({
  method: "get",
  path: "/v1/sessions/{id}/events/sse",
  operationId: "streamEvents",
  right: "session.read",
  fieldRights: { include: { raw: "session.raw" } },
  summary: "The log as server-sent events, from a cursor on and as long as the session lives",
  description:
    "`id` is the event's seq, `data` the event as in the page. A comment is sent after 15 seconds of silence. A slow " +
    "reader is never dropped: it gets the rest from the log. The stream ends after `session.closed` and when the " +
    "session is deleted.",
  tags,
  request: { params: sessionParams, query: streamQuerySchema },
  responses: {
    200: eventStream("The events", eventSchema),
    204: { description: "The session is closed and this was its last event" },
  },
  fails: ["invalid_request", "cursor_beyond_end", "session_not_found"],
});

export const streamManyEvents = defineRoute({
  method: "get",
  path: "/v1/events/sse",
  operationId: "streamManyEvents",
  right: "session.read",
  summary: "The logs of up to 50 sessions in one stream",
  description: "`id` is the cursor of all of them, `a:13,b:40`; given back it resumes all of them.",
  tags,
  request: { query: vectorQuerySchema },
  responses: { 200: eventStream("The events", eventSchema) },
  fails: ["invalid_request", "cursor_beyond_end", "session_not_found"],
});

export const streamFeed = defineRoute({
  method: "get",
  path: "/v1/feed/sse",
  operationId: "streamFeed",
  right: "session.read",
  summary: "The state of all sessions: a snapshot, then every change",
  description:
    "`id` is a cursor. Given back it gives what changed since, the latest state of each session only; where it is too old or not " +
    "known, as at another node or after a restart, it gives a snapshot. A slow reader gets the latest state of each " +
    "session rather than every state in between. The progress of a running turn, `head`, `updatedAt` and `cost`, is sent a few " +
    "times a second; every other change is sent at once.",
  tags,
  request: { query: feedQuerySchema },
  responses: { 200: eventStream("The state", feedFrameSchema) },
  fails: ["session_not_found"],
});

export const listRaws = defineRoute({
  method: "get",
  path: "/v1/sessions/{id}/raw",
  operationId: "listRaws",
  right: "session.raw",
  summary: "What really went over the agent's wire, and what happened to its process",
  tags,
  request: { params: sessionParams, query: rawPageQuerySchema },
  responses: { 200: json("A page of raw records", rawPageSchema) },
  fails: ["invalid_request", "cursor_beyond_end", "session_not_found"],
});
