/** What an entry of the log came from and what it became, on the wire. */
import { z } from "@hono/zod-openapi";
import { named } from "../named-schema.ts";
import { eventSchema, rawRecordSchema } from "./event.ts";
import { seqCursor } from "./parameter.ts";

export const xrayQuerySchema = z.object({
  seq: seqCursor
    .pipe(z.number().min(1, "must be at least 1"))
    .optional()
    .describe("The entry of the log; the newest when left out"),
});

const leftOut = z.number().int().optional().describe("How many characters of it are left out");

/** A schema of its own: what extends a named one becomes an `allOf`. */
const xrayRecordSchema = z.object({
  ...rawRecordSchema.shape,
  unread: z
    .array(z.string())
    .optional()
    .describe(
      "Messages and fields that the translator has no use for. Absent where nobody here understands the agent",
    ),
  leftOut,
});

const xrayFramesSchema = z.object({
  dialect: z.string().describe("`v1`, or the name of a client protocol"),
  description: z.string(),
  frames: z.array(
    z.object({
      seq: z.number().int().describe("The event it is of"),
      text: z.string().describe("As it is sent"),
      leftOut,
    }),
  ),
});

export const xraySchema = named(
  "Xray",
  z.object({
    seq: z.number().int().describe("The entry"),
    head: z.number().int().describe("The seq of the newest event of the session"),
    raw: z
      .array(xrayRecordSchema)
      .describe(
        "The record that the entry came from, last. Before it those since the event before that no event came from. " +
          "Empty for what people and the daemon did",
      ),
    rawLeftOut: z
      .number()
      .int()
      .optional()
      .describe("How many earlier records without an event are left out"),
    events: z.array(eventSchema).describe("All that came from the same record, the entry among them"),
    frames: z
      .array(xrayFramesSchema)
      .describe(
        "What clients of each protocol get for these events, if they have followed from the beginning of the turn",
      ),
    framesLeftOut: z
      .literal(true)
      .optional()
      .describe("The turn is too long to show it as other protocols do: only frames of `v1` are there"),
    unread: z.array(z.string()).optional().describe("What is unread of all these records together"),
    previous: z.number().int().optional().describe("The entry before these events"),
    next: z.number().int().optional().describe("The entry after these events"),
  }),
);
