/** Sends the events of one prompt to a stream and ends it with the prompt's turn. */

import { eventOf } from "../../core/encoded-event.ts";
import { PromptSelection } from "../../protocol/prompt-selection.ts";
import { sseText } from "./log-slice.ts";
import { LostNodeWait } from "./lost-node-wait.ts";
import { type Tail, tailLog } from "./tail-session.ts";

/** `seq` is that of the prompt's `prompt.accepted`. */
export function tailPrompt(tail: Tail, session: string, prompt: { message: string; seq: number }): void {
  const { stream } = tail;
  const selection = new PromptSelection(prompt.message, eventOf);
  const wait = new LostNodeWait(prompt.message);
  tailLog(tail, session, prompt.seq - 1, {
    acknowledged: prompt.seq,
    send(slice) {
      const events = selection.select(slice.events);
      if (events.length > 0) stream.writeText(sseText(events));
      if (selection.isDone) stream.end();
      else wait.look(slice.events);
    },
    onLevel: () => wait.reason !== undefined && stream.end(wait.reason),
  });
}
