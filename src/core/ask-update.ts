/** An ask with what became known of it after it was opened. */
import type { EventOf } from "./event.ts";

export type UpdatedAsk = EventOf<"ask.opened"> & {
  /** Of the last `ask.updated`. */
  updatedSeq?: number;
};

/** Fields the update leaves out stay as they are. */
export function updateAsk(ask: UpdatedAsk, update: EventOf<"ask.updated">): UpdatedAsk {
  return { ...ask, ...shownFields(update), updatedSeq: update.seq };
}

/** What an update can change. */
export function shownFields({ changes, detail }: Pick<EventOf<"ask.updated">, "changes" | "detail">) {
  return { ...(changes !== undefined && { changes }), ...(detail !== undefined && { detail }) };
}
