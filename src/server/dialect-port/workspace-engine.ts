/**
 * The engine as a port without a token has it: a fixed list of rights, over sessions of its workspace. Whatever is not
 * listed is refused, also what the engine learns later.
 */
import { InterlinguaError } from "../../core/error.ts";
import type { Principal } from "../../core/principal.ts";
import type { CreateSession, Engine, UpdateSession } from "../../engine/engine.ts";
import { sessionNotFound } from "../../protocol/refusals.ts";
import { withoutNames } from "../access/without-names.ts";
import type { AgentsAtWork } from "./agents-at-work.ts";
import type { WorkspaceSessions } from "./workspace-sessions.ts";

type Right =
  | "agents"
  | "agent"
  | "createSession"
  | "getSession"
  | "attach"
  | "updateSession"
  | "deleteSession"
  | "prompt"
  | "interrupt"
  | "checkpoints"
  | "changes"
  | "restore"
  | "approve"
  | "reset"
  | "queue"
  | "withdrawQueued"
  | "reply"
  | "openAsks"
  | "follow"
  | "health";

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

export function workspaceEngine(engine: Engine, sessions: WorkspaceSessions, atWork: AgentsAtWork): Engine {
  const rights = rightsOf(engine, sessions, atWork);
  return new Proxy(rights as Engine, {
    get: (own, name) => (Object.hasOwn(own, name) ? own[name as Right] : refuseRight),
  });
}

function rightsOf(engine: Engine, sessions: WorkspaceSessions, atWork: AgentsAtWork): Pick<Engine, Right> {
  return {
    agents: () => engine.agents(),
    agent: (name) => engine.agent(name),
    health: () => engine.health(),
    async createSession(request, by) {
      assertFields(request, CREATE_FIELDS);
      assertNoBypass(request);
      if (!(await sessions.contains(request.cwd)))
        throw new InterlinguaError(
          "outside_roots",
          `"${request.cwd}" lies outside the workspace of this port.`,
        );
      const permissionMode = request.permissionMode ?? askingMode(engine, request.agent);
      const made = await engine.createSession(
        { ...request, ...(permissionMode && { permissionMode }) },
        asGuest(by),
      );
      await sessions.require(made.session.id);
      return made;
    },
    async getSession(session) {
      await sessions.require(session);
      return engine.getSession(session);
    },
    async attach(session, by) {
      await sessions.require(session);
      return engine.attach(session, by);
    },
    async updateSession(session, change, by) {
      assertFields(change, UPDATE_FIELDS);
      assertNoBypass(change);
      await sessions.require(session);
      return engine.updateSession(session, change, asGuest(by));
    },
    async deleteSession(session, by) {
      await sessions.require(session);
      await engine.deleteSession(session, by);
    },
    async prompt(session, prompt, by) {
      if (prompt.settings) throw forbidden("Settings of an agent cannot be chosen at this port.");
      await sessions.require(session);
      return atWork.during(session, () => engine.prompt(session, prompt, asGuest(by)));
    },
    async interrupt(session, by, turn, hold) {
      await sessions.requireToStop(session);
      return engine.interrupt(session, by, turn, hold);
    },
    async checkpoints(session) {
      await sessions.require(session);
      return engine.checkpoints(session);
    },
    async changes(session, query) {
      await sessions.require(session);
      return withoutNames(engine.changes(session, query));
    },
    async restore(session, request, by) {
      await sessions.require(session);
      return withoutNames(engine.restore(session, request, by));
    },
    async approve(session, by) {
      await sessions.require(session);
      return withoutNames(engine.approve(session, by));
    },
    async reset(session, request, by) {
      await sessions.require(session);
      return withoutNames(engine.reset(session, request, by));
    },
    async queue(session, maxBytes, after) {
      await sessions.require(session);
      return engine.queue(session, maxBytes, after);
    },
    async withdrawQueued(session, message, by) {
      await sessions.requireToStop(session);
      await engine.withdrawQueued(session, message, by);
    },
    async reply(session, ask, reply, by) {
      await sessions.require(session);
      // Only a holder of the token decides about permissions and plans.
      await sessions.requireQuestion(session, ask);
      return engine.reply(session, ask, reply, by, "question");
    },
    async openAsks(session) {
      if (session === undefined) throw forbidden("Asks are listed by session at this port.");
      await sessions.require(session);
      return engine.openAsks(session);
    },
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
  };
}

/** Whoever comes without a token: the engine lets them lead only agents that ask, and give them no commands. */
function asGuest(by: Principal): Principal {
  return { ...by, access: { ...by.access, role: "participant" } };
}

/** Without one the agent's own settings decide, and these may let it do everything. */
function askingMode(engine: Engine, agent: string): string | undefined {
  const known = engine.agents().find(({ name }) => name === agent);
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

function refuseRight(): never {
  throw forbidden("This cannot be done at this port. Use the page or the API with the token.");
}

function forbidden(detail: string): InterlinguaError {
  return new InterlinguaError("forbidden", detail);
}
