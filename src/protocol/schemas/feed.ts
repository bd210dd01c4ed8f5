/** Frames of the state feed. */
import { z } from "@hono/zod-openapi";
import { SESSION_STATUSES } from "../../core/session-status.ts";
import { named } from "../named-schema.ts";
import { askViewSchema } from "./ask.ts";

const news = {
  session: z.string(),
  agent: z.string(),
  title: z.string().optional(),
  status: z.enum(SESSION_STATUSES),
  head: z.number().int(),
  openAsks: z.number().int(),
  queued: z.number().int(),
  updatedAt: z.number(),
};

const askCursor = z
  .string()
  .optional()
  .describe(
    "There are more: `cursor` of `GET /v1/asks`, for the same session if one is named, leads to them",
  );

export const feedFrameSchema = named(
  "FeedFrame",
  z.discriminatedUnion("type", [
    z
      .object({
        type: z.literal("snapshot"),
        sessions: z.array(z.object(news)),
        sessionCursor: z
          .string()
          .optional()
          .describe("There are more: `cursor` of `GET /v1/sessions` leads to them"),
        asks: z.array(askViewSchema),
        askCursor,
      })
      .describe("The first frame: the sessions, the last changed first, and the open asks"),
    z.object({ type: z.literal("session"), ...news }).describe("A session changed"),
    z
      .object({ type: z.literal("asks"), session: z.string(), asks: z.array(askViewSchema), askCursor })
      .describe("All asks of a session that are open now"),
    z.object({ type: z.literal("deleted"), session: z.string() }),
  ]),
);

export type FeedFrame = z.infer<typeof feedFrameSchema>;
