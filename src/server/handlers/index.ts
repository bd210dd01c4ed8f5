/** All handlers, one file per resource. */
import type { Logger } from "pino";
import type { NodeFiles } from "../../core/node-files.ts";
import type { Nodes } from "../../core/nodes.ts";
import type { UnreadReaders } from "../../core/read-unread.ts";
import type { Right } from "../../core/rights.ts";
import type { Store } from "../../core/store.ts";
import type { TimeSlices } from "../../core/time-slices.ts";
import type { AnyDialect } from "../../dialects/dialect.ts";
import type { Engine } from "../../engine/engine.ts";
import type { MessageHistory } from "../answers/message-history.ts";
import type { ServerConfig } from "../config.ts";
import type { AllowedRoots } from "../directories/allowed-roots.ts";
import type { RequestChecks } from "../guard/request-checks.ts";
import type { Metrics } from "../health/metrics.ts";
import type { ThreadPoolProbe } from "../health/thread-pool-probe.ts";
import type { Handlers } from "../mount.ts";
import type { FeedReaders } from "../people/feed-readers.ts";
import type { People } from "../people/people.ts";
import type { Presence } from "../people/presence.ts";
import type { Streams } from "../streams/fan-out.ts";
import type { Feed } from "../streams/feed.ts";
import { askHandlers } from "./asks.ts";
import { directoryHandlers } from "./directories.ts";
import { eventHandlers } from "./events.ts";
import { messageHandlers } from "./messages.ts";
import { passedCommands } from "./passed-commands.ts";
import { peopleHandlers } from "./people.ts";
import { presenceHandlers } from "./presence.ts";
import { queueHandlers } from "./queue.ts";
import { searchHandlers } from "./search.ts";
import { serviceHandlers } from "./service.ts";
import { sessionHandlers } from "./sessions.ts";
import { streamHandlers } from "./streams.ts";
import { workspaceHandlers } from "./workspace.ts";
import { xrayHandlers } from "./xray.ts";

export interface HandlerDependencies {
  engine: Engine;
  store: Store;
  roots: AllowedRoots;
  files: NodeFiles;
  fanOut: Streams;
  feed: Feed;
  feedReaders: FeedReaders;
  slices: TimeSlices;
  history: Pick<MessageHistory, "recordOf" | "rawsOf" | "endOfTurn">;
  metrics: Metrics;
  nodes: Nodes;
  threadPool: Pick<ThreadPoolProbe, "problem">;
  people: People;
  checks: RequestChecks;
  presence: Pick<Presence, "of" | "sessions" | "follow" | "followAll">;
  logger: Logger;
  config: ServerConfig;
  dialects: readonly AnyDialect[];
  unreadReaders?: UnreadReaders;
  /** Whether whoever calls has a right, for what is left out of an answer without it. */
  may(right: Right): boolean;
  /** Where the page is, once the server listens. */
  address: () => string;
}

export function handlers(dependencies: HandlerDependencies): Handlers {
  return {
    ...passedCommands(dependencies),
    ...sessionHandlers(dependencies),
    ...directoryHandlers(dependencies),
    ...messageHandlers(dependencies),
    ...searchHandlers(dependencies),
    ...queueHandlers(dependencies),
    ...eventHandlers(dependencies),
    ...streamHandlers(dependencies),
    ...askHandlers(dependencies),
    ...xrayHandlers(dependencies),
    ...workspaceHandlers(dependencies),
    ...presenceHandlers(dependencies),
    ...peopleHandlers(dependencies),
    ...serviceHandlers(dependencies),
  };
}
