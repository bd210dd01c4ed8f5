/** What is told of an event to somebody who is not there: ids and titles, nothing that was said. Pure. */
import type { SessionEvent } from "../../core/event.ts";
import type { NotifyEvent } from "../../core/notify-target.ts";
import type { SessionSummary } from "../../core/session-summary.ts";

export interface Notification {
  /** `test` is sent on request alone. */
  event: NotifyEvent | "test";
  /** When it happened, in milliseconds. */
  at: number;
  session: string;
  agent: string;
  /** The name that people know it by. */
  agentTitle?: string;
  /** Of the session, if it has one. */
  title?: string;
  ask?: { id: string; kind: string; title: string };
  turn?: { id: string; outcome: string };
}

const MAX_TITLE_LENGTH = 200;

/** Undefined for what nobody has to be told. */
export function notificationOf(
  event: SessionEvent,
  summary: SessionSummary,
  agentTitle?: string,
): Notification | undefined {
  const { agent } = summary;
  const about = {
    ...{ at: event.at, session: event.session, agent },
    ...(agentTitle !== undefined && { agentTitle }),
    ...titleOf(summary),
  };
  switch (event.type) {
    case "ask.opened":
      return {
        event: "ask",
        ...about,
        ask: { id: event.ask, kind: event.kind, title: oneLine(event.title) },
      };
    case "turn.ended": {
      const hasEnded = event.outcome === "completed" || event.outcome === "interrupted";
      return {
        event: hasEnded ? "turn_ended" : "turn_failed",
        ...about,
        turn: { id: event.turn, outcome: event.outcome },
      };
    }
    case "session.detached":
      return event.reason === "crash" ? { event: "agent_failed", ...about } : undefined;
    default:
      return undefined;
  }
}

function titleOf({ title }: SessionSummary): { title?: string } {
  return title ? { title: oneLine(title) } : {};
}

/** Control characters could break out of a line of whoever shows it. */
export function oneLine(text: string): string {
  const line = text
    .slice(0, MAX_TITLE_LENGTH * 4)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim();
  const characters = [...line];
  if (characters.length <= MAX_TITLE_LENGTH) return line;
  return `${characters.slice(0, MAX_TITLE_LENGTH - 1).join("")}…`;
}
