/**
 * The engine as a port without a token has it: a fixed list of commands, over sessions of its workspace. A command that is
 * not listed is refused.
 */
import { InterlinguaError } from "../../core/error.ts";
import type { Principal } from "../../core/principal.ts";
import type { Engine, RunCommand } from "../../engine/engine.ts";
import type { CreateSession, UpdateSession } from "../../protocol/commands/command-types.ts";
import {
  type CommandAnswer,
  type CommandInput,
  type CommandName,
  isCommand,
  sessionOf,
} from "../../protocol/commands/index.ts";
import { sessionNotFound } from "../../protocol/refusals.ts";
import { withoutNames } from "../access/without-names.ts";
import type { AgentsAtWork } from "./agents-at-work.ts";
import type { WorkspaceSessions } from "./workspace-sessions.ts";

/** What a request without a token may say of a session. The rest could run programs or turn questions off. */
const CREATE_FIELDS = new Set<keyof CreateSession>([
  ...(["id", "agent", "cwd", "title", "model", "permissionMode", "metadata", "checkpoints"] as const),
]);
const UPDATE_FIELDS = new Set<keyof UpdateSession>([
  "title",
  "model",
  "permissionMode",
  "metadata",
  "status",
]);

type PortRule<Name extends CommandName> = (
  input: CommandInput<Name>,
  by: Principal,
) => Promise<CommandAnswer<Name>>;

type PortRules = { readonly [Name in CommandName]?: PortRule<Name> };

export function workspaceEngine(engine: Engine, sessions: WorkspaceSessions, atWork: AgentsAtWork): Engine {
  const rules = rulesOf(engine, sessions, atWork);
  const run: RunCommand = async (command, input, by) => {
    const rule: PortRule<typeof command> | undefined = isCommand(command) ? rules[command] : undefined;
    if (!rule) throw refused();
    return rule(input, by);
  };
  return {
    run,
    follow(session, listener, onDeleted, onCutShort) {
      if (!sessions.wasFound(session)) throw sessionNotFound(session);
      const follower = engine.follow(session, listener, onDeleted, onCutShort);
      const unwatch = sessions.watch(session, () => {
        follower.stop();
        onDeleted?.();
      });
      return {
        stop() {
          unwatch();
          follower.stop();
        },
      };
    },
    health: () => engine.health(),
    followAll: refuse,
    stats: refuse,
    close: refuse,
  };
}

function rulesOf(engine: Engine, sessions: WorkspaceSessions, atWork: AgentsAtWork): PortRules {
  /** A command on a session of the workspace. */
  function on<Name extends CommandName>(command: Name, wrap: Wrap = (work) => work): PortRule<Name> {
    return async (input, by) => {
      await sessions.require(sessionOf(command, input)!);
      return wrap(engine.run(command, input, by));
    };
  }

  return {
    listAgents: (input, by) => engine.run("listAgents", input, by),
    getAgent: (input, by) => engine.run("getAgent", input, by),
    async createSession(request, by) {
      assertFields(request, CREATE_FIELDS);
      assertNoBypass(request);
      if (!(await sessions.contains(request.cwd)))
        throw new InterlinguaError(
          "outside_roots",
          `"${request.cwd}" lies outside the workspace of this port.`,
        );
      const permissionMode = request.permissionMode ?? (await askingMode(engine, request.agent, by));
      const made = await engine.run(
        "createSession",
        { ...request, ...(permissionMode && { permissionMode }) },
        asGuest(by),
      );
      await sessions.require(made.session.id);
      return made;
    },
    getSession: on("getSession"),
    attachSession: on("attachSession"),
    async updateSession(input, by) {
      const { session, ...change } = input;
      assertFields(change, UPDATE_FIELDS);
      assertNoBypass(change);
      await sessions.require(session);
      return engine.run("updateSession", input, asGuest(by));
    },
    deleteSession: on("deleteSession"),
    async prompt(input, by) {
      if (input.settings) throw forbidden("Settings of an agent cannot be chosen at this port.");
      await sessions.require(input.session);
      return atWork.during(input.session, () => engine.run("prompt", input, asGuest(by)));
    },
    async interrupt(input, by) {
      await sessions.requireToStop(input.session);
      return engine.run("interrupt", input, by);
    },
    listCheckpoints: on("listCheckpoints"),
    listChanges: on("listChanges", withoutNames),
    restore: on("restore", withoutNames),
    approve: on("approve", withoutNames),
    reset: on("reset", withoutNames),
    listQueue: on("listQueue"),
    async withdrawQueued(input, by) {
      await sessions.requireToStop(input.session);
      return engine.run("withdrawQueued", input, by);
    },
    async replyToAsk(input, by) {
      await sessions.require(input.session);
      // Only a holder of the token decides about permissions and plans.
      await sessions.requireQuestion(input.session, input.ask);
      return engine.run("replyToAsk", { ...input, kind: "question" }, by);
    },
    async listAsks({ session }, by) {
      if (session === undefined) throw forbidden("Asks are listed by session at this port.");
      await sessions.require(session);
      return engine.run("listAsks", { session }, by);
    },
  };
}

type Wrap = <Result>(work: Promise<Result>) => Promise<Result>;

/** Whoever comes without a token: the engine lets them lead only agents that ask, and give them no commands. */
function asGuest(by: Principal): Principal {
  return { ...by, access: { ...by.access, role: "participant" } };
}

/** Without one the agent's own settings decide, and these may let it do everything. */
async function askingMode(engine: Engine, agent: string, by: Principal): Promise<string | undefined> {
  const known = (await engine.run("listAgents", {}, by)).find(({ name }) => name === agent);
  return known?.capabilities.permissionModes.includes("default") ? "default" : undefined;
}

function assertNoBypass({ permissionMode }: Pick<CreateSession, "permissionMode">): void {
  if (permissionMode === "bypass")
    throw forbidden("The permission mode bypass cannot be chosen at this port. Use the page.");
}

function assertFields<Fields extends object>(given: Fields, allowed: ReadonlySet<keyof Fields>): void {
  for (const [name, value] of Object.entries(given))
    if (value !== undefined && !allowed.has(name as keyof Fields))
      throw forbidden(`${name} cannot be chosen at this port. Use the page or the API with the token.`);
}

function refused(): InterlinguaError {
  return forbidden("This cannot be done at this port. Use the page or the API with the token.");
}

function refuse(): never {
  throw refused();
}

function forbidden(detail: string): InterlinguaError {
  return new InterlinguaError("forbidden", detail);
}
