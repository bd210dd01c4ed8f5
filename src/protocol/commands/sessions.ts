/** Commands on a session as a whole. */
import type { Right } from "../../core/rights.ts";
import * as routes from "../routes/sessions.ts";
import type { CreateSession, ForkSession, SessionDetails, UpdateSession } from "./command-types.ts";
import {
  AGENT_MS,
  auditNote,
  defineCommand,
  defineRouteCommand,
  FILES_MS,
  type NeededRight,
  READS,
  STOP_MS,
} from "./define-command.ts";

type UpdateInput = { session: string } & UpdateSession;

/** What can run programs, or decides which do. */
const PROGRAM_FIELDS = ["env", "mcpServers", "options", "install"] as const satisfies (keyof CreateSession)[];

export const sessionCommands = {
  /**
   * `created` is false if an equal request created the session before. Throws `session_exists` for a different request with
   * the same id.
   */
  createSession: defineCommand<CreateSession, { session: SessionDetails; created: boolean }>({
    rights: creationRights,
    audit: (_, { session, created }) =>
      created ? { action: "session.create", session: session.id } : undefined,
    forward: { timeoutMs: FILES_MS, isRepeatable: true },
  }),
  getSession: defineRouteCommand(routes.getSession, READS),
  /** Starts the agent unless it runs. Concurrent calls share one start. Throws what a prompt would fail with. */
  attachSession: defineRouteCommand(routes.attachSession, {
    rights: "session.attach",
    audit: auditNote("session.attach"),
    forward: { timeoutMs: AGENT_MS, isRepeatable: true },
  }),
  /** Ends the agent of an idle session. Throws `session_busy` while the agent works or starts. */
  detachSession: defineRouteCommand(routes.detachSession, {
    rights: "session.attach",
    audit: auditNote("session.attach", "detach"),
    forward: { timeoutMs: STOP_MS, isRepeatable: true },
  }),
  updateSession: defineCommand<UpdateInput, SessionDetails, typeof routes.updateSession>({
    route: routes.updateSession,
    rights: changeRights,
    audit: ({ session, ...change }) => ({
      action: greatestRight(change),
      session,
      detail: Object.keys(change).join(", "),
    }),
    forward: { timeoutMs: STOP_MS, isRepeatable: true, isOnLogOnly: true },
  }),
  /** Ends the agent and removes log and raw records. */
  deleteSession: defineCommand<{ session: string }, undefined>({
    rights: "session.delete",
    audit: ({ session }) => ({ action: "session.delete", session, isDurable: true }),
    forward: {
      timeoutMs: FILES_MS,
      isRepeatable: true,
      isOverBy: "session_not_found",
      isOnLogOnly: true,
    },
  }),
  /**
   * Makes a session whose conversation is a copy of this one's. Its agent continues from a copy of its own conversation where
   * it can, else from an account. Throws `worktree_impossible` where there can be no worktree.
   */
  forkSession: defineCommand<{ session: string } & ForkSession, SessionDetails>({
    rights: "session.fork",
    audit: ({ session }, { id }) => ({ action: "session.fork", session, detail: id }),
    forward: { timeoutMs: FILES_MS, isRepeatable: true },
  }),
};

function creationRights(request: CreateSession): NeededRight[] {
  const programs = PROGRAM_FIELDS.filter((path) => request[path] !== undefined);
  return [
    { right: "session.create" },
    ...programs.map((path) => ({ right: "session.program", path }) as const),
    // An agent is installed for everybody. What `agents.NAME.install` of the config allows needs no right.
    ...(request.install === "auto" ? [{ right: "agent.install", path: "install" } as const] : []),
  ];
}

function changeRights({ session: _, status, env, ...settings }: UpdateInput): NeededRight[] {
  const changesSettings = Object.values(settings).some((value) => value !== undefined);
  return [
    ...(status === undefined ? [] : [{ right: "session.close", path: "status" } as const]),
    ...(env === undefined ? [] : [{ right: "session.program", path: "env" } as const]),
    ...(changesSettings || (!status && !env) ? [{ right: "session.settings" } as const] : []),
  ];
}

function greatestRight({ status, env, permissionMode }: UpdateSession): Right {
  if (permissionMode === "bypass") return "session.bypass";
  if (env) return "session.program";
  return status === "closed" ? "session.close" : "session.settings";
}
