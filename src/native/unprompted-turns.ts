/** Turns whose prompt was not shown: here somebody asked for them, so nothing is said about who began them. */
import type { SessionEvent } from "../core/event.ts";

/** Why a turn began, where only its prompt is missing. */
const OUT_OF_SIGHT: readonly string[] = ["output", "exec"];

export class UnpromptedTurns {
  /** The messages that are left out. */
  readonly #hidden = new Set<string>();

  apply(events: readonly SessionEvent[]): SessionEvent[] {
    return events.flatMap((event): SessionEvent[] => {
      if (event.type === "message.system" && OUT_OF_SIGHT.includes(event.cause)) {
        this.#hidden.add(event.message);
        return [];
      }
      if (event.type !== "message.started" || !this.#hidden.has(event.replyTo)) return [event];
      const { replyTo: _hidden, ...rest } = event;
      return [rest as SessionEvent];
    });
  }
}
