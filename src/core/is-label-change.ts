/** Which events only name or sort a session: a person may do that also after its end, and it is no work on it. */
import type { SessionEvent } from "./event.ts";

/** What each event has, and the labels. */
const FIELDS: ReadonlySet<string> = new Set([
  "session",
  "seq",
  "at",
  "type",
  "agent",
  "by",
  "title",
  "pinned",
  "archived",
]);

/** True for a `session.updated` with nothing but `title`, `pinned` and `archived`. */
export function isLabelChange(event: SessionEvent): boolean {
  return (
    event.type === "session.updated" &&
    Object.entries(event).every(([name, value]) => value === undefined || FIELDS.has(name))
  );
}
