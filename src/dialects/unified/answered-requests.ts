/**
 * Requests that were done, so that one that comes again after a lost connection is not done twice. Only for those that the
 * log does not remember itself: prompts and answers are the engine's.
 */
import { InterlinguaError } from "../../core/error.ts";
import { unifiedId } from "../../unified/unified-id.ts";
import type { UnifiedMessage } from "../../unified/unified-message.ts";

const MAX_REQUESTS = 4096;

interface Done {
  /** A digest of what was asked for, to tell another request under the same id. */
  request: string;
  response: Promise<object>;
}

export class AnsweredRequests {
  readonly #done = new Map<string, Done>();

  /** Runs it unless it has been or is being run. What failed can be tried again. */
  async once(session: string, message: UnifiedMessage, run: () => Promise<object>): Promise<object> {
    const key = `${session}\n${message.id}`;
    const { type, content, metadata } = message;
    const request = unifiedId("", JSON.stringify([type, content, metadata]));
    const known = this.#done.get(key);
    if (known && known.request !== request)
      throw new InterlinguaError(
        "message_exists",
        "Another request was sent with this id. Give each request an id of its own.",
      );
    if (known) return known.response;
    const response = run();
    this.#done.set(key, { request, response });
    response.catch(() => this.#done.delete(key));
    for (const oldest of this.#done.keys()) {
      if (this.#done.size <= MAX_REQUESTS) break;
      this.#done.delete(oldest);
    }
    return response;
  }
}
