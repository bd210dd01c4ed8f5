import { callerOf } from "../guard/caller.ts";
import type { Handlers } from "../mount.ts";
import type { HandlerDependencies } from "./index.ts";

type TaskHandlers = Pick<Handlers, "listTasks" | "stopTask">;

export function taskHandlers({ engine }: HandlerDependencies): TaskHandlers {
  return {
    async listTasks({ params }) {
      return { status: 200, body: { tasks: await engine.tasks(params.id) } };
    },

    async stopTask({ params }, context) {
      return { status: 202, body: await engine.stopTask(params.id, params.task, callerOf(context)) };
    },
  };
}
