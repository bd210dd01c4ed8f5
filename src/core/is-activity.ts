/** Which events count as activity of a session: what people or the agent did, not what the daemon did for itself. */
import type { EventType, SessionEvent } from "./event.ts";
import { isCutOff } from "./is-cut-off.ts";
import { isLabelChange } from "./is-label-change.ts";

const ACTIVITY: ReadonlySet<EventType> = new Set<EventType>([
  "session.created",
  "session.closed",
  "conversation.rewound",
  "restore.started",
  "prompt.accepted",
  "prompt.changed",
  "prompt.moved",
  "prompt.withdrawn",
  "turn.started",
  "turn.stopping",
  "step.started",
  "ask.opened",
  "ask.answered",
  "task.started",
  "task.updated",
  "task.stopping",
]);

/** Starting an agent, stopping it and closing what a restart cut off are not activity. */
export function isActivity(event: SessionEvent): boolean {
  switch (event.type) {
    case "session.updated":
      // To pin or to archive is to sort. An agent reports its settings whenever it starts.
      if (isLabelChange(event)) return event.title !== undefined;
      return event.raw === undefined;
    case "turn.ended":
      return !isCutOff(event.error?.code);
    // Only a person releases a prompt.
    case "prompt.held":
      return !event.held;
    case "task.ended":
      return event.outcome !== "lost";
    default:
      return ACTIVITY.has(event.type);
  }
}
