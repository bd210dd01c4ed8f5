/** Every route of `/v1`. Validation, the OpenAPI document, its test and the types of the handlers come from here. */
import * as asks from "./routes/asks.ts";
import * as directories from "./routes/directories.ts";
import * as events from "./routes/events.ts";
import * as messages from "./routes/messages.ts";
import * as people from "./routes/people.ts";
import * as presence from "./routes/presence.ts";
import * as search from "./routes/search.ts";
import * as service from "./routes/service.ts";
import * as sessions from "./routes/sessions.ts";
import * as tasks from "./routes/tasks.ts";
import * as workspace from "./routes/workspace.ts";
import * as xray from "./routes/xray.ts";

export const routes = {
  ...sessions,
  ...directories,
  ...messages,
  ...search,
  ...events,
  ...xray,
  ...asks,
  ...tasks,
  ...workspace,
  ...presence,
  ...people,
  ...service,
};

export type Routes = typeof routes;
export type RouteName = keyof Routes;

/** Routes whose bodies carry prompts and files. All other bodies are small. */
export const CONTENT_ROUTES: ReadonlySet<RouteName> = new Set<RouteName>([
  "sendMessage",
  "streamMessage",
  "changeQueued",
  "replyToAsk",
  "replyToPermission",
  "replyToQuestion",
]);
