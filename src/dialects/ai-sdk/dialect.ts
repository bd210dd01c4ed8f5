/** The AI SDK's `useChat`, and whatever else speaks its UI message stream. */
import type { Dialect } from "../dialect.ts";
import { chatHandlers } from "./handlers/chat.ts";
import { messageHandlers } from "./handlers/messages.ts";
import * as routes from "./routes.ts";
import { messageFormat } from "./view.ts";

const FORMATS = (["static", "dynamic"] as const).flatMap((toolParts) => [
  messageFormat(toolParts),
  messageFormat(toolParts, "raw"),
]);

export const aiSdk: Dialect<typeof routes> = {
  name: "chat",
  description: "The AI SDK's `useChat`",
  path: "/api/chat",
  routes,
  contentRoutes: ["sendChat"],
  handlers: (services) => ({ ...chatHandlers(services), ...messageHandlers(services) }),
  view: { scope: "message", resume: "replay", formats: FORMATS },
  // Chat clients show the whole body of a refusal to a person, so it is only the sentence.
  describeProblem: ({ detail, code }) => ({
    body: detail,
    headers: { "content-type": "text/plain; charset=utf-8", "x-interlingua-error": code },
  }),
};
