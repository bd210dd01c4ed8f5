import type { taskCommands } from "../../protocol/commands/tasks.ts";
import { stopTask, taskViews } from "../session/task-commands.ts";
import type { Implementations } from "./command-parts.ts";

export const tasks: Implementations<keyof typeof taskCommands> = {
  async listTasks({ sessions }, { session }) {
    return { tasks: taskViews((await sessions.get(session)).state) };
  },

  async stopTask({ assertReady, sessions }, { session, task }, caller) {
    assertReady();
    return stopTask(await sessions.get(session), task, caller.name);
  },
};
