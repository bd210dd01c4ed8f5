import { InterlinguaError } from "../../core/error.ts";
import { sessionNotFound } from "../../protocol/refusals.ts";
import { callerOf } from "../guard/caller.ts";
import type { Handlers } from "../mount.ts";
import type { HandlerDependencies } from "./index.ts";

type PresenceHandlers = Pick<Handlers, "getPresence" | "watchSession">;

export function presenceHandlers({ store, presence, feedReaders }: HandlerDependencies): PresenceHandlers {
  return {
    async getPresence({ params }) {
      if (!(await store.getSession(params.id))) throw sessionNotFound(params.id);
      return { status: 200, body: presence.of(params.id) };
    },

    async watchSession({ params, body: { watching } }, context) {
      if (watching !== null && !(await store.getSession(watching))) throw sessionNotFound(watching);
      if (await feedReaders.watch(callerOf(context), params.reader, watching ?? undefined))
        return { status: 204 };
      throw new InterlinguaError(
        "not_found",
        `No feed is open with the reader "${params.reader}". Open GET /v1/feed/sse?reader=${params.reader} first.`,
      );
    },
  };
}
