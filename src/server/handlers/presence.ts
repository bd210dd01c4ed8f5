import { sessionNotFound } from "../../protocol/refusals.ts";
import type { Handlers } from "../mount.ts";
import type { HandlerDependencies } from "./index.ts";

export function presenceHandlers({ store, presence }: HandlerDependencies): Pick<Handlers, "getPresence"> {
  return {
    async getPresence({ params }) {
      if (!(await store.getSession(params.id))) throw sessionNotFound(params.id);
      return { status: 200, body: presence.of(params.id) };
    },
  };
}
