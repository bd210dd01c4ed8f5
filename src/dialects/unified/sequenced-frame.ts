/** The envelope in which every UnifiedMessage travels: `{seq, message_id, timestamp, payload}`. */
import type { SequencedMessage } from "../../unified/unified-adapter.ts";
import { unifiedId } from "../../unified/unified-id.ts";
import type { UnifiedMessage } from "../../unified/unified-message.ts";

/** What an event became. The id follows from the place in the log, whatever that of the payload is. */
export function eventFrame(
  payload: UnifiedMessage,
  place: { session: string; seq: number; index: number; isLast: boolean },
): string {
  const { session, seq, index, isLast } = place;
  return encode({
    ...(isLast && { seq }),
    message_id: unifiedId(session, `${seq}.${index}`),
    timestamp: payload.timestamp,
    payload,
  });
}

/** What no event became: it has no place, and is not repeated to whoever comes back. */
export function plainFrame(payload: UnifiedMessage, messageId = payload.id): string {
  return encode({ message_id: messageId, timestamp: payload.timestamp, payload });
}

function encode(message: SequencedMessage): string {
  return JSON.stringify(message);
}
