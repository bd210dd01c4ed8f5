/** Says of a call that is given up whether a person stopped what it was part of. Agents do not say it: the log knows. */
import type { SessionEvent } from "../event.ts";
import type { SessionState } from "../session-state.ts";

export function markStopped(state: SessionState, event: SessionEvent): void {
  if (event.type !== "tool.abandoned") return;
  const { turn, task } = event;
  const stoppingBy =
    task === undefined ? turn !== undefined && state.turn?.stoppingBy : state.tasks.get(task)?.stoppingBy;
  if (stoppingBy) event.stopped = true;
  else delete event.stopped;
}
