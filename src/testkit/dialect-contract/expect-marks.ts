/** What the marks of a message's frames promise to the server, which ends responses by them. */
import { expect } from "vitest";
import type { SessionEvent } from "../../core/event.ts";
import type { MessageFrame } from "../../dialects/dialect.ts";

/** `events` begin with the message, and `frames` are those of each event. */
export function expectMarks(
  events: readonly SessionEvent[],
  frames: readonly (readonly MessageFrame[])[],
): void {
  const opened = new Set<string>();
  const shown = new Set<string>();
  let state: "before" | "segment" | "seam" | "ended" = "before";
  for (const [place, event] of events.entries()) {
    if (event.type === "ask.opened") opened.add(event.ask);
    for (const { mark, ask } of frames[place]!) {
      expect(state, `nothing follows the frame marked "end", but one marked "${mark}"`).not.toBe("ended");
      if (state === "segment")
        expect(mark, `"start" begins a segment and is not repeated in it`).not.toBe("start");
      else expect(mark, `a message, and what follows a seam, begins with "start"`).toBe("start");
      state = mark === "seam" ? "seam" : mark === "end" ? "ended" : "segment";
      if (mark !== "seam") continue;
      expect([...opened], "a seam names an ask that was opened").toContain(ask);
      expect([...shown], "no two seams are of one ask").not.toContain(ask);
      shown.add(ask!);
    }
    if (place > 0 && endsMessage(event, events[0]!))
      expect(state, `a message ends with "${event.type}": its last frame is marked "end"`).toBe("ended");
  }
}

/** With its turn, or when the next message begins. */
export function endsMessage(event: SessionEvent, started: SessionEvent): boolean {
  return event.type === "message.started" || (event.type === "turn.ended" && event.turn === started.turn);
}
