/** Who watches a session, on the wire. */
import { z } from "@hono/zod-openapi";
import { ROLES } from "../../core/rights.ts";
import { named } from "../named-schema.ts";

export const viewerSchema = named(
  "Viewer",
  z.object({
    name: z.string().describe("Of the token, with that of the client where it gives one"),
    role: z.enum(ROLES),
    dialect: z.string().describe("`v1`, or the name of a dialect"),
    since: z.number().describe("When the first of the streams was opened, in milliseconds"),
    count: z.number().int().describe("How many streams are open"),
  }),
);

export const presenceSchema = named(
  "Presence",
  z.object({
    viewers: z.array(viewerSchema).describe("The first hundred, the longest here first"),
    total: z.number().int().describe("How many viewers there are, also those that are not listed"),
  }),
);

export type Viewer = z.infer<typeof viewerSchema>;
export type PresenceView = z.infer<typeof presenceSchema>;
