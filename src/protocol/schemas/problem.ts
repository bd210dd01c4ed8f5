/** Errors on the wire: RFC 9457 problem details with a stable code. */
import { z } from "@hono/zod-openapi";
import { ERROR_CODES, type ErrorCode } from "../../core/error.ts";
import { named } from "../named-schema.ts";

const errorCodeSchema = named("ErrorCode", z.enum(Object.keys(ERROR_CODES) as [ErrorCode, ...ErrorCode[]]));

export const problemSchema = named(
  "Problem",
  z.looseObject({
    type: z.string().describe("An URN that names the code"),
    title: z.string(),
    status: z.number().int(),
    detail: z.string().describe("A sentence that says what to do"),
    code: errorCodeSchema,
    errors: z
      .array(z.object({ path: z.string(), message: z.string() }))
      .optional()
      .describe("Which fields are wrong"),
    agents: z.array(z.string()).optional().describe("The agents there are"),
    paths: z.array(z.string()).optional().describe("Files it is about, relative to the session's directory"),
    session: z
      .object({ id: z.string(), title: z.string().optional() })
      .optional()
      .describe("The session that stands in the way"),
    answer: z.unknown().optional().describe("The answer that came first"),
  }),
);

export type Problem = z.infer<typeof problemSchema>;
