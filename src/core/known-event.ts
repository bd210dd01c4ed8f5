/** Whether this version knows the type of an event: a log may have been written by a later one. */
import { eventSchema, type SessionEvent } from "./event.ts";

const TYPES: ReadonlySet<string> = new Set(eventSchema.options.map(({ shape }) => shape.type.value));

export function isKnownEvent({ type }: SessionEvent): boolean {
  return TYPES.has(type);
}
