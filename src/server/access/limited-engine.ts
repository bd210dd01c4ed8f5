/**
 * The engine as one token has it: a fixed list of what can be done, each with its right, over the sessions the token is
 * for. Whatever is not listed is refused, also what the engine learns later.
 */
import type { NodeFiles } from "../../core/node-files.ts";
import type { Store } from "../../core/store.ts";
import type { Engine } from "../../engine/engine.ts";
import type { AccessCheck } from "./access-check.ts";
import { commandsOnSessions } from "./limited-commands.ts";
import { queueCommands } from "./limited-queue.ts";
import { limitedReads } from "./limited-reads.ts";
import type { SessionScope } from "./session-scope.ts";

export interface LimitedEngineOptions {
  engine: Engine;
  store: Pick<Store, "getAsk" | "getMessage" | "getSession">;
  files: Pick<NodeFiles, "checkParts">;
  check: AccessCheck;
  scope: SessionScope;
}

export function limitedEngine(options: LimitedEngineOptions): Engine {
  const { check } = options;
  const listed: Omit<Engine, "close"> = {
    ...limitedReads(options),
    ...commandsOnSessions(options),
    ...queueCommands(options),
  };
  return new Proxy(listed as Engine, {
    get(own, name) {
      // A promise that resolves with it asks for `then`.
      if (Object.hasOwn(own, name) || typeof name === "symbol" || name === "then")
        return Reflect.get(own, name);
      return () => {
        throw check.refuse("service.operate");
      };
    },
  });
}
