/** Events and raw records on the wire. */
import { z } from "@hono/zod-openapi";
import { eventSchema as coreEventSchema } from "../../core/event.ts";
import { rawRecordSchema as coreRawRecordSchema } from "../../core/raw-record.ts";
import { named, namedUnion } from "../named-schema.ts";
import { pageLimit, seqCursor } from "./parameter.ts";
import { promptPartSchema } from "./prompt-part.ts";

const parts = z.array(promptPartSchema);

export const eventSchema = namedUnion("Event", coreEventSchema, {
  "prompt.accepted": { parts },
  "prompt.changed": { parts },
});

export const rawRecordSchema = named("RawRecord", coreRawRecordSchema);

const offset = seqCursor.optional().describe("Another name for `after`; only one of them can be given");

function namesOneCursor(query: { after?: number; offset?: number }): boolean {
  return query.after === undefined || query.offset === undefined;
}

const ONE_CURSOR = { error: "is another name for after: give only one of them", path: ["offset"] };

const includeRaw = z
  .enum(["raw"])
  .optional()
  .describe("`raw` puts the raw record an event came from beside it, as `rawRecord`");

export const promptStreamQuerySchema = z.object({ include: includeRaw });

export const eventPageQuerySchema = z
  .object({
    after: seqCursor.optional().describe("Give the events after this seq; 0 or nothing begins at the start"),
    offset,
    limit: pageLimit(100, 1000),
    include: includeRaw,
  })
  .refine(namesOneCursor, ONE_CURSOR);

export const eventPageSchema = named(
  "EventPage",
  z.object({
    events: z.array(eventSchema),
    head: z.number().int().describe("The seq of the newest event of the session"),
    hasMore: z.boolean(),
  }),
);

export const rawPageQuerySchema = z.object({
  after: seqCursor.optional().describe("Give the records after this rawSeq"),
  limit: pageLimit(100, 1000),
});

export const rawPageSchema = named(
  "RawPage",
  z.object({
    raws: z.array(rawRecordSchema),
    head: z.number().int().describe("The rawSeq of the newest record of the session"),
    hasMore: z.boolean(),
  }),
);

export const streamQuerySchema = z
  .object({
    after: seqCursor
      .optional()
      .describe("Begin after this seq. The header `Last-Event-ID` wins over it, so that a browser resumes"),
    offset,
    include: includeRaw,
  })
  .refine(namesOneCursor, ONE_CURSOR);

export const vectorQuerySchema = z.object({
  after: z
    .string()
    .min(1)
    .optional()
    .describe(
      "Up to 50 sessions, each with the seq to begin after: `a:12,b:40`. `Last-Event-ID` wins over it",
    ),
});
