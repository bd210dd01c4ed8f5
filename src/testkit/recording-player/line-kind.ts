/** What kind of line a client sent, so that a line of a recording is found again in what another client says. */
import { isRecord } from "../../core/is-record.ts";

export type Message = Readonly<Record<string, unknown>>;

/**
 * The method of a request or a notification; for an answer which request it answers; else type and subtype.
 *
 * @example
 * kindOf({ method: "initialize", id: 1 }) // "initialize"
 * kindOf({ id: 7, result: {} }) // "answer to 7"
 * kindOf({ type: "control_request", request: { subtype: "interrupt" } }) // "control_request/interrupt"
 */
export function kindOf(message: Message): string {
  const { method, id, type, subtype, request, response } = message;
  if (typeof method === "string") return method;
  if (id !== undefined && ("result" in message || "error" in message)) return `answer to ${id}`;
  if (isRecord(response) && response.request_id !== undefined) return `answer to ${response.request_id}`;
  const detail = subtype ?? (isRecord(request) ? request.subtype : undefined);
  return detail === undefined ? String(type ?? "line") : `${type}/${detail}`;
}

/** Undefined for a line that is no JSON object. */
export function readMessage(line: string): Message | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
