/** The smallest dialect: what was said, as plain text. One folder and one line in the registry is all it takes. */
import { z } from "@hono/zod-openapi";
import type { Dialect } from "../../src/dialects/dialect.ts";
import { defineRoute } from "../../src/protocol/define-route.ts";

const readTranscript = defineRoute({
  method: "get",
  path: "/transcript/{id}",
  operationId: "readTranscript",
  summary: "What was said, as plain text",
  tags: ["transcript"],
  request: { params: z.object({ id: z.string() }) },
  responses: { 200: { description: "The text", content: { "text/plain": { schema: z.string() } } } },
});

export const transcript: Dialect<{ readTranscript: typeof readTranscript }> = {
  name: "transcript",
  description: "What was said, as plain text",
  path: "/transcript",
  routes: { readTranscript },
  contentRoutes: [],
  view: {
    scope: "session",
    resume: "cursor",
    create: () => ({ add: (event) => (event.type === "text.delta" ? [{ text: event.delta }] : []) }),
  },
  handlers: ({ sessions }) => ({
    readTranscript: ({ params }, call) =>
      call.stream({ headers: { "content-type": "text/plain" } }, (sink) =>
        sessions.follow(sink, params.id, {
          view: transcript.view.create(),
          after: 0,
          isComplete: (event) => event.type === "turn.ended",
        }),
      ),
  }),
};
