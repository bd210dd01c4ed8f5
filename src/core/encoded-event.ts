/** An event as it is stored and sent: its JSON, encoded once, and the event itself, parsed at most once. */
import type { SessionEvent } from "./event.ts";

export interface EncodedEvent {
  readonly seq: number;
  readonly json: string;
  /** Absent where it was read and nobody has needed it. */
  event?: SessionEvent;
}

/** Shared by everybody who reads it, so nobody may change it. */
export function eventOf(encoded: EncodedEvent): SessionEvent {
  encoded.event ??= JSON.parse(encoded.json) as SessionEvent;
  return encoded.event;
}
