/** The smallest dialect: what was said, as plain text. One folder and one line in the registry is all it takes. */
import { z } from "@hono/zod-openapi";
import { promptText } from "../../src/core/prompt-part.ts";
import type { Dialect, View } from "../../src/dialects/dialect.ts";
import { defineRoute } from "../../src/protocol/define-route.ts";

const readTranscript = defineRoute({
  method: "get",
  path: "/transcript/{id}",
  operationId: "readTranscript",
  right: "session.read",
  summary: "What was said, as plain text",
  tags: ["transcript"],
  request: { params: z.object({ id: z.string() }) },
  responses: { 200: { description: "The text", content: { "text/plain": { schema: z.string() } } } },
});

function createView(): View {
  return { add: (event) => (event.type === "text.delta" ? [{ text: event.delta }] : []) };
}

export const transcript: Dialect<{ readTranscript: typeof readTranscript }> = {
  name: "transcript",
  description: "What was said, as plain text",
  path: "/transcript",
  routes: { readTranscript },
  contentRoutes: [],
  view: { scope: "session", resume: "cursor", create: createView },
  // Its clients know a session by the words it began with.
  keys: (event) => (event.type === "prompt.accepted" ? [promptText(event.parts).replaceAll(/\W/g, "-")] : []),
  handlers: ({ sessions, store }) => ({
    async readTranscript({ params }, call) {
      const session = (await store.findKey("transcript", params.id))?.session ?? params.id;
      return call.stream({ headers: { "content-type": "text/plain" } }, (sink) =>
        sessions.follow(sink, session, {
          view: createView(),
          after: 0,
          isComplete: (event) => event.type === "turn.ended",
        }),
      );
    },
  }),
};
