import { z } from "@hono/zod-openapi";
import { defineRoute, json } from "../define-route.ts";
import { sessionParams } from "../schemas/parameter.ts";
import { xrayQuerySchema, xraySchema } from "../schemas/xray.ts";

const tags = ["events"];

export const getXray = defineRoute({
  method: "get",
  path: "/v1/sessions/{id}/xray",
  operationId: "getXray",
  right: "session.raw",
  summary: "An entry of the log with what the agent really said, and with what clients of each protocol get",
  tags,
  request: { params: sessionParams, query: xrayQuerySchema },
  responses: { 200: json("The entry from all sides", xraySchema) },
  fails: ["invalid_request", "cursor_beyond_end", "session_not_found"],
});

export const downloadRecording = defineRoute({
  method: "get",
  path: "/v1/sessions/{id}/recording",
  operationId: "downloadRecording",
  right: "session.raw",
  summary: "Everything that the agent said and was told, as a recording",
  description:
    "One JSON object per line, as `interlingua replay` reads it. An agent without a record gives an empty one.",
  tags,
  request: { params: sessionParams },
  responses: {
    200: {
      description: "The lines of the recording",
      content: { "application/jsonl": { schema: z.string() } },
    },
  },
  fails: ["session_not_found"],
});
