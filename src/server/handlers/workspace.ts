import type { Principal } from "../../core/principal.ts";
import { callerOf } from "../guard/caller.ts";
import type { Handlers } from "../mount.ts";
import type { HandlerDependencies } from "./index.ts";

type WorkspaceHandlers = Pick<Handlers, "listWorkspaces" | "collectGarbage">;

export function workspaceHandlers({ engine }: HandlerDependencies): WorkspaceHandlers {
  const usage = async (caller: Principal) => {
    const workspaces = await engine.run("listWorkspaces", {}, caller);
    return { bytes: workspaces.reduce((sum, { bytes }) => sum + bytes, 0), workspaces };
  };
  return {
    async listWorkspaces(_, context) {
      return { status: 200, body: await usage(callerOf(context)) };
    },

    async collectGarbage(_, context) {
      const caller = callerOf(context);
      const before = await usage(caller);
      const { dropped, failed } = await engine.run("collectGarbage", {}, caller);
      const { bytes } = await usage(caller);
      const freed = Math.max(0, before.bytes - bytes);
      return {
        status: 200,
        body: { dropped, freed, bytes, ...(failed.length > 0 && { failed: [...failed] }) },
      };
    },
  };
}
