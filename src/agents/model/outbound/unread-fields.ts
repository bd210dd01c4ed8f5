/** What of the program's own events the translator has no use for. */
import type { WireEvent, WireEventName } from "../wire.ts";

/** The fields that are not read. All others are. */
const UNREAD: Readonly<Partial<Record<WireEventName, readonly string[]>>> = {
  turn_started: ["turn", "prompt"],
  turn_finished: ["turn"],
  step_started: ["step"],
  step_finished: ["step"],
  compaction_skipped: ["limit"],
};

/** Undefined when all of it was used. */
export function unreadFields({ event }: WireEvent): readonly string[] | undefined {
  return UNREAD[event]?.map((field) => `${event}.${field}`);
}
