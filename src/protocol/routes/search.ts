import { defineRoute, json } from "../define-route.ts";
import { searchQuerySchema, searchResultsSchema } from "../schemas/search.ts";

export const searchMessages = defineRoute({
  method: "get",
  path: "/v1/search",
  operationId: "searchMessages",
  right: "session.read",
  summary: "Find messages of all sessions by their words, the newest first",
  description:
    "What people and agents said in messages of the history: not what an agent thought, read, wrote or ran. Of a message " +
    "of more than 16384 characters its beginning is searched.",
  tags: ["messages"],
  request: { query: searchQuerySchema },
  responses: { 200: json("The messages", searchResultsSchema) },
  fails: ["invalid_request", "session_not_found"],
});
