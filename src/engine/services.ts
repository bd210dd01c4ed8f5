/** What every session of the engine shares. Choices are made in the composition root, none in here. */
import type { BackendAdapter } from "../core/adapter.ts";
import type { Store } from "../core/store.ts";
import type { AgentPlaces } from "./agent-places.ts";
import type { GroupCommit } from "./group-commit.ts";
import type { Hub } from "./hub.ts";
import type { EngineLimits } from "./limits.ts";

export interface EngineLogger {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

export interface Services {
  store: Store;
  commit: GroupCommit;
  hub: Hub;
  agents: ReadonlyMap<string, BackendAdapter>;
  limits: EngineLimits;
  logger: EngineLogger;
  now(): number;
  newId(prefix: string): string;
  places: AgentPlaces;
  /** Throws when an agent may not work in this directory (any more). */
  demandDirectory(directory: string): Promise<void>;
  counters: { unknownNative: number; turns: number };
}
