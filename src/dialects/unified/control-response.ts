/** The answer to what a client sent. Refusals are in problem.ts. */
import { createUnifiedMessage } from "../../unified/create-unified-message.ts";
import type { UnifiedMessage } from "../../unified/unified-message.ts";

/** Which message is answered. A frame that could not be read has neither. */
export interface Answered {
  session: string;
  id?: string;
  /** Its own `request_id`, where it has one. */
  requestId?: string;
}

export function success(answered: Answered, response: object): UnifiedMessage {
  return controlResponse(answered, { subtype: "success", response });
}

export function controlResponse({ session, id, requestId }: Answered, result: object): UnifiedMessage {
  return createUnifiedMessage({
    type: "control_response",
    role: "system",
    metadata: {
      session_id: session,
      request_id: requestId ?? id,
      inResponseTo: id,
      ...result,
    },
    ...(id !== undefined && { parentId: id }),
  });
}
