import { callerOf } from "../guard/caller.ts";
import type { Handlers } from "../mount.ts";
import type { HandlerDependencies } from "./index.ts";

type WorkspaceHandlers = Pick<
  Handlers,
  "listCheckpoints" | "listChanges" | "restore" | "approve" | "reset" | "listWorkspaces" | "collectGarbage"
>;

export function workspaceHandlers({ engine }: HandlerDependencies): WorkspaceHandlers {
  const usage = async () => {
    const workspaces = await engine.checkpointUsage();
    return { bytes: workspaces.reduce((sum, { bytes }) => sum + bytes, 0), workspaces };
  };
  return {
    async listCheckpoints({ params }) {
      return { status: 200, body: { checkpoints: await engine.checkpoints(params.id) } };
    },

    async listChanges({ params, query }) {
      const { turn, since, include } = query;
      const changes = await engine.changes(params.id, { turn, since, withBase: include.includes("base") });
      return { status: 200, body: { changes } };
    },

    async restore({ params, body }, context) {
      return { status: 200, body: await engine.restore(params.id, body, callerOf(context)) };
    },

    async approve({ params }, context) {
      return { status: 200, body: await engine.approve(params.id, callerOf(context)) };
    },

    async reset({ params, body }, context) {
      return { status: 200, body: await engine.reset(params.id, body ?? {}, callerOf(context)) };
    },

    async listWorkspaces() {
      return { status: 200, body: await usage() };
    },

    async collectGarbage() {
      const before = await usage();
      const { dropped, failed } = await engine.collectGarbage();
      const { bytes } = await usage();
      const freed = Math.max(0, before.bytes - bytes);
      return {
        status: 200,
        body: { dropped, freed, bytes, ...(failed.length > 0 && { failed: [...failed] }) },
      };
    },
  };
}
