/** The answer to what a client sent: that it was done, or which problem there is. */
import type { InterlinguaError } from "../../core/error.ts";
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

/** For `InterlinguaError` alone: others are none of the client's business. */
export function failure(answered: Answered, error: InterlinguaError): UnifiedMessage {
  const { errors, answer, agents, paths, retryAfterSeconds } = error.extras;
  const problem = {
    code: error.code,
    detail: error.message,
    status: error.status,
    ...{ errors, answer, agents, paths },
    retry_after_seconds: retryAfterSeconds,
  };
  return controlResponse(answered, { subtype: "error", error: problem });
}

function controlResponse({ session, id, requestId }: Answered, result: object): UnifiedMessage {
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
