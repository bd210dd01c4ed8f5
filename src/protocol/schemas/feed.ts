/** Frames of the state feed. */
import { z } from "@hono/zod-openapi";
import { forkedFromSchema } from "../../core/fork-fields.ts";
import { sessionIdSchema } from "../../core/identifier.ts";
import { named, namedUnion } from "../named-schema.ts";
import { askViewSchema } from "./ask.ts";
import { presenceSchema } from "./presence.ts";
import { labelFields, sessionStatusSchema } from "./session.ts";

const news = {
  session: z.string(),
  agent: z.string(),
  cwd: z.string(),
  title: z.string().optional(),
  status: sessionStatusSchema,
  head: z.number().int(),
  openAsks: z.number().int(),
  queued: z.number().int(),
  createdAt: z.number(),
  updatedAt: z.number(),
  ...labelFields,
  forkedFrom: forkedFromSchema.optional(),
};

const askCursor = z
  .string()
  .optional()
  .describe(
    "There are more: `cursor` of `GET /v1/asks`, for the same session if one is named, leads to them",
  );

export const feedFrameSchema = namedUnion(
  "FeedFrame",
  z.discriminatedUnion("type", [
    z
      .object({
        type: z.literal("snapshot"),
        sessions: z.array(z.object(news)).describe("Without archived ones"),
        sessionCursor: z
          .string()
          .optional()
          .describe("There are more: `cursor` of `GET /v1/sessions` leads to them"),
        asks: z.array(askViewSchema),
        askCursor,
        presence: z
          .array(z.object({ session: z.string(), ...presenceSchema.shape }))
          .describe("Who watches, of the sessions that somebody watches"),
        isPresenceCut: z
          .literal(true)
          .optional()
          .describe("There are more: `GET /v1/sessions/{id}/presence` tells of each session"),
        startedAt: z
          .number()
          .int()
          .describe("When the daemon was started: another time than before means that it was restarted"),
      })
      .describe(
        "The first frame, unless a known cursor was given, and whatever came before is void: the sessions, the last changed first, the open asks, and who watches",
      ),
    z.object({ type: z.literal("session"), ...news }).describe("A session changed"),
    z
      .object({ type: z.literal("asks"), session: z.string(), asks: z.array(askViewSchema), askCursor })
      .describe("All asks of a session that are open now"),
    z
      .object({ type: z.literal("presence"), session: z.string(), ...presenceSchema.shape })
      .describe("Somebody came or left: all who watch a session now"),
    z.object({ type: z.literal("deleted"), session: z.string() }),
    z
      .object({ type: z.literal("resumed") })
      .describe("In place of a snapshot, where the cursor was known: what changed since follows"),
  ]),
);

/** Like a UUID. */
const readerName = z.string().regex(/^[\w-]{1,64}$/, "must have 1 to 64 letters, digits, _ and -");

export const feedReaderParams = z.object({ reader: readerName });

export const watchingSchema = named(
  "Watching",
  z.strictObject({ watching: sessionIdSchema.nullable().describe("The session, or null for none") }),
);

export const feedQuerySchema = z.object({
  reader: readerName
    .optional()
    .describe("A name of its own choice, with which the reader can look at another session later"),
  watching: sessionIdSchema
    .optional()
    .describe("The session its reader looks at: the stream counts there as one that is open"),
  after: z
    .string()
    .max(200)
    .optional()
    .describe("The `id` of the last frame that was read. The header `Last-Event-ID` wins"),
});

export type FeedFrame = z.infer<typeof feedFrameSchema>;
