/** Clients of every dialect that follow a session. A later dialect joins with a line. */

import { sessionUlid } from "../../../src/core/session-ulid.ts";
import { SmithyClient } from "../../agentsmithy/smithy-client.ts";
import type { DaemonClient } from "../../daemon-client.ts";
import { SmithyWatcher } from "./agentsmithy-watcher.ts";
import { AiSdkWatcher } from "./ai-sdk-watcher.ts";
import { UnifiedWatcher } from "./unified-watcher.ts";
import { V1Watcher } from "./v1-watcher.ts";
import type { Watcher } from "./watcher.ts";

export type { Watcher } from "./watcher.ts";

export interface WatchedSession {
  id: string;
  cwd: string;
  createdAt: number;
}

type Watch = (client: DaemonClient, session: WatchedSession) => Watcher;

export const WATCHERS: readonly Watch[] = [
  (client, { id }) => new V1Watcher(client, id),
  (client, { id }) => new AiSdkWatcher(client, id),
  ({ url, token }, { id, createdAt, cwd }) =>
    new SmithyWatcher(new SmithyClient(`${url}/agentsmithy`, token), {
      dialog: sessionUlid(id, createdAt),
      cwd,
    }),
  (client, { id }) => new UnifiedWatcher(client, id),
];
