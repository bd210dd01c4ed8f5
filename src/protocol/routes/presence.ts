import { defineRoute, json, jsonBody } from "../define-route.ts";
import { feedReaderParams, watchingSchema } from "../schemas/feed.ts";
import { sessionParams } from "../schemas/parameter.ts";
import { presenceSchema } from "../schemas/presence.ts";

export const getPresence = defineRoute({
  method: "get",
  path: "/v1/sessions/{id}/presence",
  operationId: "getPresence",
  right: "session.read",
  summary: "Who watches a session: whose streams of it are open, of any client protocol",
  tags: ["sessions"],
  request: { params: sessionParams },
  responses: { 200: json("The viewers", presenceSchema) },
  fails: ["session_not_found"],
});

export const watchSession = defineRoute({
  method: "patch",
  path: "/v1/feed/readers/{reader}",
  operationId: "watchSession",
  right: "session.read",
  summary: "Say which session a reader of the feed looks at now",
  tags: ["events"],
  request: { params: feedReaderParams, body: jsonBody(watchingSchema) },
  responses: { 204: { description: "It counts among those who watch the session, and nowhere else" } },
  fails: ["not_found", "session_not_found"],
});
