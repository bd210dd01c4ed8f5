/** The form of refusals for clients of the UnifiedMessage protocol. */
import type { InterlinguaError } from "../../core/error.ts";
import type { UnifiedMessage } from "../../unified/unified-message.ts";
import { type Answered, controlResponse } from "./control-response.ts";

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
