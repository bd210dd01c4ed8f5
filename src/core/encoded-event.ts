/** An event as it is stored and sent: its JSON, encoded once, and the event itself, parsed at most once. */
import type { SessionEvent } from "./event.ts";

/** An event as a store keeps it. */
export interface EncodedEvent {
  readonly seq: number;
  readonly json: string;
  /** Absent until somebody needs it, where it was read from the store. */
  event?: SessionEvent;
}

/**
 * The event itself, parsed at most once. All readers share it, so nobody may change it.
 *
 * @example
 * const encoded = { seq: 7, json: '{"session":"demo","seq":7,"at":0,"type":"session.closed"}' };
 * eventOf(encoded).type; // => "session.closed"
 */
export function eventOf(encoded: EncodedEvent): SessionEvent {
  encoded.event ??= JSON.parse(encoded.json) as SessionEvent;
  return encoded.event;
}
