import type { z } from "@hono/zod-openapi";
import { agentNameOf } from "../../core/agent-alias.ts";
import type { SessionRow } from "../../core/store.ts";
import type { SessionView } from "../../protocol/commands/command-types.ts";
import { invalidField, sessionNotFound } from "../../protocol/refusals.ts";
import type { createSessionSchema } from "../../protocol/schemas/session.ts";
import { encodeAll } from "../answers/answer-page.ts";
import { sendList } from "../answers/send-json.ts";
import { assertAbsolute, realPath } from "../directories/real-path.ts";
import { callerOf } from "../guard/caller.ts";
import { type AppContext, addHeaders, type Handlers } from "../mount.ts";
import type { HandlerDependencies } from "./index.ts";

type SessionHandlers = Pick<
  Handlers,
  "createSession" | "createNamedSession" | "listSessions" | "deleteSession" | "forkSession"
>;

/** A session's row is small, so a list of them is too. */
const LIST_BYTES = 2 * 1024 * 1024;

export function sessionHandlers({
  engine,
  store,
  roots,
  files,
  slices,
  logger,
  may,
}: HandlerDependencies): SessionHandlers {
  async function create(request: z.infer<typeof createSessionSchema>, context: AppContext) {
    // What was opened for one session is for who opened it, and not for a page.
    const id = isPage(context) || !may("session.roots") ? undefined : request.id;
    const cwd = await files.directory(request.cwd, id);
    if (id !== undefined && roots.isFurther(cwd, id))
      logger.warn({ session: id, directory: cwd }, "a session works outside the roots");
    const { session, created } = await engine.run("createSession", { ...request, cwd }, callerOf(context));
    if (!created) return { status: 200, body: session } as const;
    addHeaders(context, { location: `/v1/sessions/${session.id}` });
    return { status: 201, body: session } as const;
  }

  return {
    createSession: ({ body }, context) => create(body, context),

    createNamedSession({ params, body }, context) {
      if (body.id !== undefined && body.id !== params.id)
        throw invalidField(
          "id",
          "differs from the path",
          "The id in the body differs from the one in the path.",
        );
      return create({ ...body, id: params.id }, context);
    },

    async listSessions({ query }, context) {
      const cwd = query.cwd === undefined ? undefined : await directoryOf(query.cwd);
      const agent = query.agent === undefined ? undefined : agentNameOf(query.agent);
      const archived = query.archived === "any" ? undefined : query.archived === "true";
      const pinned = query.pinned === undefined ? undefined : query.pinned === "true";
      const filter = { ...query, agent, cwd, archived, pinned };
      const { sessions, cursor } = await store.listSessions({ ...filter, maxBytes: LIST_BYTES });
      const items = await encodeAll(sessions.map(viewOf), slices);
      return sendList(context, "sessions", items, { cursor });
    },

    async deleteSession({ params }, context) {
      await engine.run("deleteSession", { session: params.id }, callerOf(context));
      roots.forget(params.id);
      return { status: 204 };
    },

    async forkSession({ params, body }, context) {
      const { before, cwd: named, worktree } = body ?? {};
      if (named !== undefined && worktree)
        throw invalidField(
          "worktree",
          "cannot be given with cwd",
          "A fork works in a worktree or in a `cwd`: name one of them.",
        );
      // A page opens nothing, and what was opened for the other session is for a fork that goes on there.
      const isOpened = named === undefined && !isPage(context) && may("session.roots");
      const origin = await store.getSession(params.id);
      if (!origin) throw sessionNotFound(params.id);
      const directory = await files.directoryFor(params.id, named ?? origin.cwd, isOpened);
      const cwd = named === undefined ? undefined : directory;
      const session = await engine.run(
        "forkSession",
        { session: params.id, before, cwd, worktree },
        callerOf(context),
      );
      if (isOpened && !worktree) roots.inherit(params.id, session.id, session.cwd);
      addHeaders(context, { location: `/v1/sessions/${session.id}` });
      return { status: 201, body: session };
    },
  };
}

function isPage(context: AppContext): boolean {
  return context.req.header("origin") !== undefined;
}

/** As sessions have it. It need not exist any more, or be inside today's roots. */
async function directoryOf(path: string): Promise<string> {
  assertAbsolute(path, "cwd");
  return realPath(path);
}

function viewOf({ request: _, ...view }: SessionRow): SessionView {
  return view;
}
