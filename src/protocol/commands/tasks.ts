/** Commands on an agent's tasks in the background. */
import * as routes from "../routes/tasks.ts";
import { COMMIT_MS, defineRouteCommand, READS } from "./define-command.ts";

export const taskCommands = {
  /** Those that run, oldest first, then the last twenty that ended, newest first. */
  listTasks: defineRouteCommand(routes.listTasks, READS),
  /**
   * Tells the agent to end a task, which then reports the end. A task that has ended stays as it is. Throws `task_not_found`,
   * and `unsupported` where the agent ends none. Resolves when `task.stopping` is committed.
   */
  stopTask: defineRouteCommand(routes.stopTask, {
    rights: "session.stop",
    audit: ({ session, task }) => ({ action: "session.stop", session, detail: task }),
    forward: { timeoutMs: COMMIT_MS, isRepeatable: true },
  }),
};
