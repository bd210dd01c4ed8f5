/** What a line says of an entry of the log, and whether it is looked for. Pure. */
import type { SessionEvent } from "../api/types.ts";
import { hasWords } from "../shell/match-words.ts";
import { excerpt } from "../ui/format.ts";

const MAX_LENGTH = 60;
/** The first of them that an event has says most about it. */
const FIELDS = ["delta", "title", "name", "native", "outcome", "call", "ask", "reason"] as const;

/** Empty where the type says it all. */
export function entryDetail(event: SessionEvent): string {
  const fields = event as Partial<Record<(typeof FIELDS)[number], unknown>>;
  for (const field of FIELDS) {
    const value = fields[field];
    if (typeof value === "string" && value.trim() !== "") return excerpt(value, MAX_LENGTH);
  }
  return "";
}

/** Whether type, number or detail have every word. */
export function matchesEntry(event: SessionEvent, words: string): boolean {
  return hasWords(`${event.seq} ${event.type} ${entryDetail(event)}`, words);
}
