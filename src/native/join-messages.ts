/** All that an agent says → the chunks of one message, for a response can carry only one. */
import type { SessionEvent } from "../core/event.ts";
import type { UIMessageChunk } from "../dialects/ai-sdk/chunk.ts";
import {
  createMessageEncoder,
  type MessageEncoder,
  type MessageEncoderOptions,
} from "../dialects/ai-sdk/outbound.ts";

export class JoinedMessages {
  readonly #options: MessageEncoderOptions;
  #encoder: MessageEncoder | undefined;
  #hasStarted = false;
  /** Held until it is known that nothing follows. */
  #finish: UIMessageChunk | undefined;
  #isOver = false;

  constructor(options: MessageEncoderOptions) {
    this.#options = options;
  }

  add(event: SessionEvent): UIMessageChunk[] {
    const chunks = this.#encoder?.encode(event) ?? [];
    if (event.type === "message.started") {
      this.#encoder = createMessageEncoder(this.#options);
      chunks.push(...this.#encoder.encode(event));
    }
    return chunks.flatMap((chunk) => this.#join(chunk));
  }

  end(): UIMessageChunk[] {
    return this.#finish ? [this.#finish] : [];
  }

  #join(chunk: UIMessageChunk): UIMessageChunk[] {
    // Clients read nothing after an error.
    if (this.#isOver) return [];
    if (chunk.type === "finish") {
      this.#finish = chunk;
      return [];
    }
    if (chunk.type === "start") {
      this.#finish = undefined;
      if (this.#hasStarted) return [];
      this.#hasStarted = true;
    }
    this.#isOver = chunk.type === "error";
    return [chunk];
  }
}
