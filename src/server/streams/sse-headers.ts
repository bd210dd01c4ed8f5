/** The headers of answers of server-sent events: of streams, of whole answers and of those to HEAD. */
import { EVENT_STREAM_HEADERS } from "../../protocol/sse-frame.ts";

type AnswerHeaders = Readonly<Record<string, string>>;

/** A header for every answer of server-sent events belongs here. */
function sseHeaders(own: AnswerHeaders): AnswerHeaders {
  return own;
}

/** @param own What a dialect sends, which may be another format. Absent for our own streams. */
export function streamHeaders(own: AnswerHeaders = EVENT_STREAM_HEADERS): Record<string, string> {
  return { ...(isEventStream(own) ? sseHeaders(own) : own) };
}

export function isEventStream(headers: AnswerHeaders): boolean {
  return /^text\/event-stream/.test(headers["content-type"] ?? "");
}
