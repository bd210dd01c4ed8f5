/**
 * The engine as one token has it: each command needs the rights of its definition, over the sessions the token is for. What
 * depends on stored data is in `command-rules.ts`.
 */
import type { NodeFiles } from "../../core/node-files.ts";
import type { Store } from "../../core/store.ts";
import type { Engine, RunCommand } from "../../engine/engine.ts";
import {
  type CommandInput,
  type CommandName,
  commandNamed,
  isCommand,
  sessionOf,
} from "../../protocol/commands/index.ts";
import { sessionNotFound } from "../../protocol/refusals.ts";
import type { AccessCheck, Attempt } from "./access-check.ts";
import { type CommandRule, commandRules } from "./command-rules.ts";
import type { SessionScope } from "./session-scope.ts";

export interface LimitedEngineOptions {
  engine: Engine;
  store: Pick<Store, "getAsk" | "getMessage" | "getSession">;
  files: Pick<NodeFiles, "checkParts">;
  check: AccessCheck;
  scope: SessionScope;
}

type FeedChange = Parameters<Parameters<Engine["followAll"]>[0]>[0];

export function limitedEngine(options: LimitedEngineOptions): Engine {
  const { engine, check, scope } = options;
  const rules = commandRules(options);

  function assertRights<Name extends CommandName>(
    command: Name,
    input: CommandInput<Name>,
    attempt: Attempt,
  ): void {
    const { rights } = commandNamed(command);
    if (typeof rights === "function")
      for (const { right, path } of rights(input)) check.assert(right, { ...attempt, path });
    else if (rights !== "rule") check.assert(rights, attempt);
    else if (!rules[command]) throw check.refuse("service.operate", attempt);
  }

  const run: RunCommand = async (command, input, by) => {
    const session = sessionOf(command, input);
    const attempt = { by, session };
    if (!isCommand(command)) throw check.refuse("service.operate", attempt);
    // A token learns nothing of sessions it is not for, not even that it lacks the right.
    if (session !== undefined && command !== "createSession") await scope.assert(session);
    else if (command !== "createSession" && commandNamed(command).forward !== "here")
      throw new TypeError(`${command} needs a session`);
    assertRights(command, input, attempt);
    const rule: CommandRule<typeof command> | undefined = rules[command];
    const next: Parameters<CommandRule<typeof command>>[2] = (given) =>
      check.noted(engine.run(command, given, by), attempt);
    return rule ? rule(input, by, next) : next(input);
  };

  return {
    run,
    follow(session, listener, onDeleted, onCutShort) {
      check.assert("session.read", { session });
      if (!scope.wasFound(session)) throw sessionNotFound(session);
      return engine.follow(session, listener, onDeleted, onCutShort);
    },
    followAll(listener, onGap) {
      check.assert("session.read");
      return engine.followAll((change, events) => {
        const { session } = change;
        const isShown =
          "deleted" in change ? scope.wasFound(session) : scope.covers({ id: session, agent: change.agent });
        if (isShown) listener(shownChange(change, scope), events);
      }, onGap);
    },
    health: () => engine.health(),
    stats() {
      check.assert("service.operate");
      return engine.stats();
    },
    close() {
      throw check.refuse("service.operate");
    },
  };
}

/** A copy of a session that the token does not know has no origin. */
function shownChange(change: FeedChange, scope: Pick<SessionScope, "coversId">): FeedChange {
  if ("deleted" in change || !change.forkedFrom || scope.coversId(change.forkedFrom.session)) return change;
  const { forkedFrom: _, ...shown } = change;
  return shown;
}
