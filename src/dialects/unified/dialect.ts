/** The UnifiedMessage protocol over a WebSocket for each session. */
import type { Dialect } from "../dialect.ts";
import { unifiedChannel } from "./channel.ts";
import { DIALECT_NAME } from "./name.ts";
import { UnifiedView } from "./unified-view.ts";

const PATH = "/v1/sessions/{id}/unified";

export const unified: Dialect<Record<string, never>> = {
  name: DIALECT_NAME,
  description: "UnifiedMessage",
  path: PATH,
  routes: {},
  contentRoutes: [],
  handlers: () => ({}),
  channels: [{ path: PATH, right: "session.read", handler: unifiedChannel }],
  view: { scope: "session", resume: "cursor", create: () => new UnifiedView() },
};
