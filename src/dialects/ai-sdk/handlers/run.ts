/** A run is one response: which message it is about, and how many segments of it the client had before. */

export interface ChatRun {
  session: string;
  /** The assistant message, or the user message it answers. */
  message: string;
  segments: number;
}

/** No session or message id contains it. */
const SEPARATOR = "~";

export function formatRun({ session, message, segments }: ChatRun): string {
  return [session, message, ...(segments > 0 ? [segments] : [])].join(SEPARATOR);
}

/** Undefined when it is the id of a chat. */
export function parseRun(id: string): ChatRun | undefined {
  const [session = "", message, segments = "0"] = id.split(SEPARATOR);
  return message === undefined ? undefined : { session, message, segments: Number(segments) };
}
