/** How tasks in the background move the state of a session. */
import { sizeOf } from "../bound-value.ts";
import type { EventOf, SessionEvent } from "../event.ts";
import type { OpenTask, SessionState } from "../session-state.ts";
import { forgetOldest } from "./forget-oldest.ts";

/** How many tasks that ended are remembered. */
const MAX_ENDED_TASKS = 20;
/** How much is remembered of what a task says of itself, in characters. */
const MAX_TASK_TEXT = 1000;

export function evolveTask(state: SessionState, event: SessionEvent): void {
  switch (event.type) {
    case "task.started":
      state.tasks.set(event.task, {
        title: event.title,
        native: event.native,
        call: event.call,
        kind: event.kind,
        implicit: event.kind === "implicit",
        startedAt: event.at,
      });
      if (event.native !== undefined) state.nativeTasks.set(event.native, event.task);
      return;
    case "task.updated":
      updateTask(state.tasks.get(event.task), event);
      return;
    case "task.stopping": {
      const task = state.tasks.get(event.task);
      if (task) task.stoppingBy = event.by;
      return;
    }
    case "task.ended":
      rememberEnd(state, event);
      state.tasks.delete(event.task);
      // Its native id stays known for a while: it may be what wakes the agent.
      forgetOldest(state.nativeTasks, (task) => state.tasks.has(task));
      return;
  }
}

function updateTask(
  task: OpenTask | undefined,
  { title, status, progress, delta }: EventOf<"task.updated">,
): void {
  if (!task) return;
  task.title = title ?? task.title;
  if (status !== undefined) task.status = status.slice(0, MAX_TASK_TEXT);
  if (delta !== undefined) task.output = `${task.output ?? ""}${delta}`.slice(-MAX_TASK_TEXT);
  if (progress !== undefined && sizeOf(progress) <= MAX_TASK_TEXT) task.progress = progress;
}

function rememberEnd(state: SessionState, { task, outcome, summary, at }: EventOf<"task.ended">): void {
  const open = state.tasks.get(task);
  if (!open || open.implicit) return;
  const { title, kind, call, startedAt, status, output, stoppingBy } = open;
  const ended = { task, title, kind, call, startedAt, status, output, stoppingBy, endedAt: at, outcome };
  const said = summary === undefined ? {} : { summary: summary.slice(0, MAX_TASK_TEXT) };
  state.endedTasks = [...(state.endedTasks ?? []), { ...ended, ...said }].slice(-MAX_ENDED_TASKS);
}
