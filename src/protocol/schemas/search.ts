/** The search in what was said, on the wire. */
import { z } from "@hono/zod-openapi";
import { sessionIdSchema } from "../../core/identifier.ts";
import { named } from "../named-schema.ts";
import { listCursor, pageLimit } from "./parameter.ts";

export const searchQuerySchema = z.object({
  q: z
    .string()
    .trim()
    .min(1, "must have a word to look for")
    .max(500)
    .describe("Words that a message has to have, all of them; the last one may be the beginning of one"),
  limit: pageLimit(20, 100),
  cursor: listCursor.optional(),
  session: sessionIdSchema.optional().describe("Only in this session"),
  archived: z
    .enum(["any", "false", "true"])
    .default("any")
    .describe("In which sessions: all, those that are not archived, or those that are"),
});

const snippetPieceSchema = z.object({
  text: z.string(),
  match: z.literal(true).optional().describe("It is one of the words"),
});

const searchResultSchema = named(
  "SearchResult",
  z.object({
    session: z.string(),
    title: z.string().optional().describe("Of the session, like agent and directory"),
    agent: z.string(),
    cwd: z.string(),
    archived: z.literal(true).optional(),
    message: z.string(),
    role: z.enum(["user", "assistant", "system"]),
    at: z.number().describe("When it was said"),
    snippet: z.array(snippetPieceSchema).describe("A part of the text, where most of the words stand"),
  }),
);

export const searchResultsSchema = named(
  "SearchResults",
  z.object({
    results: z.array(searchResultSchema),
    cursor: z
      .string()
      .optional()
      .describe("There may be more, also where this page has fewer than `limit`, or none"),
    isIncomplete: z
      .literal(true)
      .optional()
      .describe("Older messages are still being added after an upgrade: not all can be found yet"),
  }),
);
