/**
 * The engine of a node among others: each command on a session is done where the session is. Ids are fixed here, at the node
 * that was called, so that a command which is given twice is done once. What is about this machine stays here.
 */
import { agentNameOf } from "../core/agent-alias.ts";
import { InterlinguaError } from "../core/error.ts";
import type { CreateSession, Engine, ForkSession } from "../engine/engine.ts";
import { COMMANDS_PATH, CommandRouter, type CommandRouterOptions, callEngine } from "./command-router.ts";
import { decodeCommand, type ForwardedMethod } from "./forwarded-commands.ts";
import type { PeerRoutes } from "./peers/peer-transport.ts";
import { assertLabels, wantedLabels } from "./wanted-labels.ts";

/** How readers of sessions are told of changes, whichever node has them. */
export type SessionFollower = Pick<Engine, "follow" | "followAll">;

export interface ClusterEngineOptions extends CommandRouterOptions {
  newId(prefix: string): string;
  /** The name of this node. */
  name: string;
  /** Those of this node only when absent. */
  following?: SessionFollower;
}

type Arguments<Method extends keyof Engine> = Parameters<Engine[Method]>;
type Answer<Method extends keyof Engine> = ReturnType<Engine[Method]>;

export class ClusterEngine implements Engine {
  readonly #options: ClusterEngineOptions;
  readonly #local: Engine;
  readonly #following: SessionFollower;
  readonly #router: CommandRouter;

  constructor(options: ClusterEngineOptions) {
    this.#options = options;
    this.#local = options.local;
    this.#following = options.following ?? options.local;
    this.#router = new CommandRouter(options);
  }

  /** Takes commands of other nodes: they are done here, or it is said who has the session. */
  serve(routes: PeerRoutes): void {
    routes.onCall(COMMANDS_PATH, async (body) => {
      const command = decodeCommand(body);
      if (command) return callEngine(this.#local, command.method, command.args);
      throw new InterlinguaError(
        "unsupported",
        "This node does not know such a command. Bring it up to date.",
      );
    });
  }

  #on<Method extends ForwardedMethod>(method: Method, ...args: Arguments<Method>): Answer<Method> {
    return this.#router.run(method, args[0] as string, args) as Answer<Method>;
  }

  async createSession(...[request, by]: Arguments<"createSession">) {
    const named: CreateSession = { ...request, id: request.id ?? this.#options.newId("ses") };
    assertLabels(request.metadata);
    const labels = wantedLabels(request.metadata);
    const needs = { agent: agentNameOf(request.agent), cwd: request.cwd, format: 0, labels };
    const made = this.#router.run("createSession", named.id!, [named, by], needs);
    return (await made) as Awaited<Answer<"createSession">>;
  }

  prompt(...[session, prompt, by, checks]: Arguments<"prompt">) {
    const named = { ...prompt, id: prompt.id ?? this.#options.newId("msg") };
    return this.#on("prompt", session, named, by, checks);
  }

  async fork(...[session, request, by]: Arguments<"fork">) {
    const named: ForkSession = { ...request, id: request.id ?? this.#options.newId("ses") };
    try {
      return await this.#on("fork", session, named, by);
    } catch (error) {
      if (!InterlinguaError.isInstance(error) || error.code !== "session_exists") throw error;
      // It may have been made before, and be at another node than its origin.
      const made = await this.getSession(named.id!).catch(() => undefined);
      const { forkedFrom } = made ?? {};
      if (made && forkedFrom?.session === session && forkedFrom.message === named.before) return made;
      throw error;
    }
  }

  getSession(...args: Arguments<"getSession">) {
    return this.#on("getSession", ...args);
  }

  attach(...args: Arguments<"attach">) {
    return this.#on("attach", ...args);
  }

  async updateSession(...args: Arguments<"updateSession">) {
    assertLabels(args[1].metadata);
    return this.#on("updateSession", ...args);
  }

  deleteSession(...args: Arguments<"deleteSession">) {
    return this.#on("deleteSession", ...args);
  }

  interrupt(...args: Arguments<"interrupt">) {
    return this.#on("interrupt", ...args);
  }

  edit(...args: Arguments<"edit">) {
    return this.#on("edit", ...args);
  }

  regenerate(...args: Arguments<"regenerate">) {
    return this.#on("regenerate", ...args);
  }

  rewind(...args: Arguments<"rewind">) {
    return this.#on("rewind", ...args);
  }

  checkpoints(...args: Arguments<"checkpoints">) {
    return this.#on("checkpoints", ...args);
  }

  changes(...args: Arguments<"changes">) {
    return this.#on("changes", ...args);
  }

  restore(...args: Arguments<"restore">) {
    return this.#on("restore", ...args);
  }

  approve(...args: Arguments<"approve">) {
    return this.#on("approve", ...args);
  }

  reset(...args: Arguments<"reset">) {
    return this.#on("reset", ...args);
  }

  queue(...args: Arguments<"queue">) {
    return this.#on("queue", ...args);
  }

  changeQueued(...args: Arguments<"changeQueued">) {
    return this.#on("changeQueued", ...args);
  }

  moveQueued(...args: Arguments<"moveQueued">) {
    return this.#on("moveQueued", ...args);
  }

  sendQueued(...args: Arguments<"sendQueued">) {
    return this.#on("sendQueued", ...args);
  }

  withdrawQueued(...args: Arguments<"withdrawQueued">) {
    return this.#on("withdrawQueued", ...args);
  }

  releaseQueue(...args: Arguments<"releaseQueue">) {
    return this.#on("releaseQueue", ...args);
  }

  tasks(...args: Arguments<"tasks">) {
    return this.#on("tasks", ...args);
  }

  stopTask(...args: Arguments<"stopTask">) {
    return this.#on("stopTask", ...args);
  }

  passOn(...args: Arguments<"passOn">) {
    return this.#on("passOn", ...args);
  }

  reply(...args: Arguments<"reply">) {
    return this.#on("reply", ...args);
  }

  follow(...args: Arguments<"follow">) {
    return this.#following.follow(...args);
  }

  followAll(...args: Arguments<"followAll">) {
    return this.#following.followAll(...args);
  }

  /** These are in the store, for all nodes. */
  openAsks(...args: Arguments<"openAsks">) {
    return this.#local.openAsks(...args);
  }

  listAsks(...args: Arguments<"listAsks">) {
    return this.#local.listAsks(...args);
  }

  /** From here on: what is about this machine. Programs belong to a node, so the answers name it. */
  agents() {
    return this.#local.agents().map((agent) => ({ ...agent, ...this.#thisNode }));
  }

  async agent(...args: Arguments<"agent">) {
    return { ...(await this.#local.agent(...args)), ...this.#thisNode };
  }

  async install(...args: Arguments<"install">) {
    return { ...(await this.#local.install(...args)), ...this.#thisNode };
  }

  /** Two nodes may have one name. The number changes when this node joins anew. */
  get #thisNode() {
    const { name, node } = this.#options;
    return { node: name, nodeNumber: node() };
  }

  checkpointUsage() {
    return this.#local.checkpointUsage();
  }

  collectGarbage() {
    return this.#local.collectGarbage();
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
