/**
 * The engine of a node among others: each command on a session is carried out where the session is. Ids are fixed here, at
 * the node that was called, so that a command which is given twice is carried out once. Commands about this machine stay here.
 */
import { agentNameOf } from "../core/agent-alias.ts";
import { InterlinguaError } from "../core/error.ts";
import type { Principal } from "../core/principal.ts";
import type { Engine, RunCommand } from "../engine/engine.ts";
import type { CreateSession } from "../protocol/commands/command-types.ts";
import {
  type CommandAnswer,
  type CommandInput,
  type CommandName,
  commandNamed,
  isCommand,
  sessionOf,
} from "../protocol/commands/index.ts";
import { unknownCommand } from "../protocol/refusals.ts";
import { readCommandMessage } from "./command-message.ts";
import { COMMANDS_PATH, CommandRouter, type CommandRouterOptions } from "./command-router.ts";
import type { PeerRoutes } from "./peers/peer-transport.ts";
import type { SessionNeeds } from "./placement.ts";
import { assertLabels, wantedLabels } from "./wanted-labels.ts";

/** How readers of sessions are told of changes, whichever node has them. */
export type SessionFollower = Pick<Engine, "follow" | "followAll">;

export interface ClusterEngineOptions extends CommandRouterOptions {
  local: Engine;
  newId(prefix: string): string;
  /** The name of this node. */
  name: string;
  /** Those of this node only when absent. */
  following?: SessionFollower;
}

/** Commands that are given with more than the caller gave, or whose answer needs more. */
type Special = { readonly [Name in CommandName]?: ClusterCommand<Name> };

type ClusterCommand<Name extends CommandName> = (
  input: CommandInput<Name>,
  caller: Principal,
) => Promise<CommandAnswer<Name>>;

export class ClusterEngine implements Engine {
  readonly #options: ClusterEngineOptions;
  readonly #local: Engine;
  readonly #following: SessionFollower;
  readonly #router: CommandRouter;
  readonly #special: Special;

  constructor(options: ClusterEngineOptions) {
    this.#options = options;
    this.#local = options.local;
    this.#following = options.following ?? options.local;
    this.#router = new CommandRouter(options);
    this.#special = this.#specialCommands();
  }

  /** Takes commands of other nodes: they are carried out here, or the answer says who has the session. */
  serve(routes: PeerRoutes): void {
    routes.onCall(COMMANDS_PATH, async (body) => {
      const message = readCommandMessage(body);
      if (message) return this.#local.run(message.command, message.input as never, message.caller);
      throw unknownCommand();
    });
  }

  async run<Name extends CommandName>(
    command: Name,
    input: CommandInput<Name>,
    caller: Principal,
  ): Promise<CommandAnswer<Name>> {
    if (!isCommand(command)) throw unknownCommand(command);
    const special: ClusterCommand<Name> | undefined = this.#special[command];
    if (special) return special(input, caller);
    if (commandNamed(command).forward === "here") return this.#local.run(command, input, caller);
    return this.#route(command, input, caller);
  }

  #route<Name extends CommandName>(
    command: Name,
    input: CommandInput<Name>,
    caller: Principal,
    newNeeds?: SessionNeeds,
  ): Promise<CommandAnswer<Name>> {
    const session = sessionOf(command, input)!;
    const answer = this.#router.run({ command, input, caller }, session, newNeeds);
    return answer as Promise<CommandAnswer<Name>>;
  }

  #specialCommands(): Special {
    const { newId } = this.#options;
    const run: RunCommand = (command, input, caller) => this.#route(command, input, caller);
    const local = this.#local;
    return {
      createSession: async (request, caller) => {
        const named: CreateSession = { ...request, id: request.id ?? newId("ses") };
        assertLabels(request.metadata);
        const labels = wantedLabels(request.metadata);
        const needs = { agent: agentNameOf(request.agent), cwd: request.cwd, format: 0, labels };
        return this.#route("createSession", named, caller, needs);
      },
      prompt: async (prompt, caller) => run("prompt", { ...prompt, id: prompt.id ?? newId("msg") }, caller),
      forkSession: async (request, caller) => {
        const named = { ...request, id: request.id ?? newId("ses") };
        try {
          return await run("forkSession", named, caller);
        } catch (error) {
          if (!InterlinguaError.isInstance(error) || error.code !== "session_exists") throw error;
          // It may have been made before, and be at another node than its origin.
          const made = await run("getSession", { session: named.id }, caller).catch(() => undefined);
          const { forkedFrom } = made ?? {};
          if (made && forkedFrom?.session === named.session && forkedFrom.message === named.before)
            return made;
          throw error;
        }
      },
      updateSession: async (change, caller) => {
        assertLabels(change.metadata);
        return run("updateSession", change, caller);
      },
      // Programs belong to a node, so the answers name it.
      listAgents: async (input, caller) => {
        const agents = await local.run("listAgents", input, caller);
        return agents.map((agent) => ({ ...agent, ...this.#thisNode }));
      },
      getAgent: async (input, caller) => ({
        ...(await local.run("getAgent", input, caller)),
        ...this.#thisNode,
      }),
      installAgent: async (input, caller) => ({
        ...(await local.run("installAgent", input, caller)),
        ...this.#thisNode,
      }),
    };
  }

  /** Two nodes may have one name. The number changes when this node joins anew. */
  get #thisNode() {
    const { name, node } = this.#options;
    return { node: name, nodeNumber: node() };
  }

  follow(...args: Parameters<Engine["follow"]>) {
    return this.#following.follow(...args);
  }

  followAll(...args: Parameters<Engine["followAll"]>) {
    return this.#following.followAll(...args);
  }

  health() {
    return this.#local.health();
  }

  stats() {
    return this.#local.stats();
  }

  close() {
    return this.#local.close();
  }
}
