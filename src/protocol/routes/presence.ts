import { defineRoute, json } from "../define-route.ts";
import { sessionParams } from "../schemas/parameter.ts";
import { presenceSchema } from "../schemas/presence.ts";

export const getPresence = defineRoute({
  method: "get",
  path: "/v1/sessions/{id}/presence",
  operationId: "getPresence",
  summary: "Who watches a session: whose streams of it are open, of any client protocol",
  tags: ["sessions"],
  request: { params: sessionParams },
  responses: { 200: json("The viewers", presenceSchema) },
  fails: ["session_not_found"],
});
