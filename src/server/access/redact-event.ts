/** Events without what only those may see who may choose it: env, mcpServers and options of a session. */
import { type EncodedEvent, eventOf } from "../../core/encoded-event.ts";

/** The type of an event stands near its beginning. */
const HEAD_LENGTH = 512;

export function redactEvent(encoded: EncodedEvent): EncodedEvent {
  if (!encoded.json.slice(0, HEAD_LENGTH).includes('"type":"session.')) return encoded;
  const event = eventOf(encoded);
  if (event.type !== "session.created" && event.type !== "session.updated") return encoded;
  if (!("env" in event || "mcpServers" in event || "options" in event)) return encoded;
  const { env: _env, ...shown } = event;
  if (shown.type === "session.created") {
    const { mcpServers: _mcpServers, options: _options, ...rest } = shown;
    return { seq: encoded.seq, json: JSON.stringify(rest) };
  }
  return { seq: encoded.seq, json: JSON.stringify(shown) };
}
