/** The AI SDK's `useChat`, and whatever else speaks its UI message stream. */
import type { Dialect } from "../dialect.ts";
import { chatHandlers } from "./handlers/chat.ts";
import { messageHandlers } from "./handlers/messages.ts";
import { describeProblem } from "./problem.ts";
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
  describeProblem,
};
