/** Sends a dialect's view of a session to a stream: from the log, then live, until the session is closed. */
import { eventOf } from "../../core/encoded-event.ts";
import type { FollowSession } from "../../dialects/dialect.ts";
import { type Tail, tailLog } from "./tail-session.ts";

export function tailView(tail: Tail, session: string, options: FollowSession): void {
  const { stream } = tail;
  const { view, after, from = after, isComplete } = options;
  tailLog(tail, session, from, {
    send(slice) {
      let text = "";
      for (const encoded of slice.events) {
        const event = eventOf(encoded);
        const frames = view.add(event);
        if (event.seq <= after) continue;
        for (const frame of frames) text += frame.text;
        if (!isComplete?.(event) && event.type !== "session.closed") continue;
        stream.writeText(text);
        return stream.end();
      }
      if (text !== "") stream.writeText(text);
    },
  });
}
