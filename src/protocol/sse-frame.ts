/** The text of server-sent events: one `data` line of JSON each, no `event` line. */

/** JSON never holds a raw line break, so one `data` line always carries all of it. */
export function eventFrame(id: number | string, json: string): string {
  return `id: ${id}\ndata: ${json}\n\n`;
}

/** A frame of a stream that has no cursor. */
export function dataFrame(json: string): string {
  return `data: ${json}\n\n`;
}

/** Moves a client's cursor without showing it an event. */
export function cursorFrame(id: string): string {
  return `id: ${id}\n\n`;
}

/** Ignored by clients; keeps proxies from closing a quiet stream. */
export function commentFrame(text: string): string {
  return `: ${text}\n\n`;
}

export const EVENT_STREAM_HEADERS = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache",
  // Tells nginx and its like to pass on every frame as it comes.
  "x-accel-buffering": "no",
} as const;
