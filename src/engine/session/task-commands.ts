/** Tasks in the background as clients see them, and how one is stopped. */
import { InterlinguaError } from "../../core/error.ts";
import type { EndedTask, OpenTask, SessionState } from "../../core/session-state.ts";
import type { TaskView } from "../../protocol/commands/command-types.ts";
import { taskNotFound } from "../../protocol/refusals.ts";
import type { SessionActor } from "./session-actor.ts";

/** Those that run, oldest first, then those that ended, newest first. */
export function taskViews({ tasks, endedTasks = [] }: SessionState): TaskView[] {
  const running = [...tasks].filter(([, { implicit }]) => !implicit);
  return [...running.map(([id, task]) => openView(id, task)), ...endedTasks.map(endedView).reverse()];
}

/** Tells the agent to end it. What has ended stays as it is. */
export async function stopTask(actor: SessionActor, task: string, by: string): Promise<TaskView> {
  const { state } = actor;
  const open = state.tasks.get(task);
  const ended = state.endedTasks?.find((other) => other.task === task);
  if (ended) return endedView(ended);
  if (!open || open.implicit) throw taskNotFound(task);
  if (!actor.canStopTasks) {
    const remedy = "Tell it to, or close the session: that ends all of them.";
    throw new InterlinguaError("unsupported", `${state.agent} ends no single task. ${remedy}`);
  }
  await actor.stopTask(task, open, by);
  const now = state.tasks.get(task);
  return now
    ? openView(task, now)
    : (taskViews(state).find((view) => view.task === task) ?? openView(task, open));
}

function openView(task: string, open: OpenTask): TaskView {
  const { title, kind, call, status, progress, output, startedAt, stoppingBy } = open;
  const state = stoppingBy === undefined ? "running" : "stopping";
  return { task, title, kind, call, state, status, progress, output, startedAt, stoppingBy };
}

function endedView({ outcome, ...rest }: EndedTask): TaskView {
  return { ...rest, state: outcome };
}
