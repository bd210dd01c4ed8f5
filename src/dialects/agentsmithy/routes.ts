/** AgentSmithy's routes, under any prefix: one mount has a token and lies beside other dialects, another is a port of its own. */
import { z } from "@hono/zod-openapi";
import { ERROR_CODES, type ErrorCode } from "../../core/error.ts";
import { defineRoute, eventStream, json, jsonBody } from "../../protocol/define-route.ts";
import { named } from "../../protocol/named-schema.ts";
import * as schemas from "./schemas.ts";

const tags = ["agentsmithy"];

const GUARD_CODES = ["unauthorized", "host_not_allowed", "origin_not_allowed", "too_many_requests"] as const;

const detailSchema = named(
  "SmithyRefusal",
  z.object({ detail: z.union([z.string(), z.looseObject({ message: z.string() })]) }),
);

/** Refusals have the form of FastAPI. */
function refusals(...codes: readonly ErrorCode[]) {
  const byStatus = Map.groupBy([...GUARD_CODES, ...codes], (code) => ERROR_CODES[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, group]) => [
      status,
      {
        description: [...new Set(group)].map((code) => `\`${code}\`: ${ERROR_CODES[code].title}.`).join(" "),
        content: { "application/json": { schema: detailSchema } },
      },
    ]),
  );
}

export type SmithyRoutes = ReturnType<typeof createRoutes>;

/** @param prefix `/agentsmithy`, or nothing at the root of a port. */
export function createRoutes(prefix: string) {
  return {
    sendSmithyMessage: defineRoute({
      method: "post",
      path: `${prefix}/api/chat`,
      operationId: "sendSmithyMessage",
      summary: "Prompt, or answer a question, and follow the turn as AgentSmithy's events",
      description:
        "Without `dialog_id` it goes to the current dialog, or to a new one. The response ends with the turn, or where a " +
        "person is asked. A client that leaves before `done` stops its turn.",
      tags,
      request: { body: jsonBody(schemas.chatRequestSchema) },
      responses: {
        ...refusals(
          "invalid_request",
          "outside_roots",
          "session_not_found",
          "session_closed",
          "env_required",
          "queue_full",
          "too_many_sessions",
          "store_unavailable",
        ),
        200: {
          description: "The events of the turn, or with `stream: false` one answer",
          content: {
            ...eventStream("", schemas.smithyEventSchema).content,
            ...json("", schemas.chatResponseSchema).content,
          },
        },
      },
    }),
  };
}
