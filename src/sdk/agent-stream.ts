/** What an agent does with one prompt, for listeners and for loops. */
import type { Session } from "./session.ts";
import type { EventOf, UIMessageChunk } from "./types.ts";

export interface AgentStreamEvent<Chunk = UIMessageChunk> {
  /** The last event is an `error` or `complete`. */
  readonly type: "chunk" | "error" | "complete";
  /** What the AI SDK shows. */
  readonly chunk?: Chunk;
  /** The agent's own message the chunk comes from. */
  readonly rawAgentMessage?: unknown;
  readonly error?: Error;
  /** How it ended. */
  readonly agentResult?: AgentResult;
}

/** How the turn ended is missing where the answer ended before it, because another prompt joined the turn. */
export interface AgentResult
  extends Partial<Pick<EventOf<"turn.ended">, "outcome" | "usage" | "cost" | "durationMs" | "waitedMs">> {
  /** As it was given to `createAgentService`. */
  readonly agentType: string;
  readonly sessionId: string;
  readonly messageId: string;
  /** The agent's own id of the conversation. */
  readonly agentSessionId?: string;
  readonly model?: string;
  /** The agent's own last message of the turn. */
  readonly rawAgentMessage?: unknown;
}

type Listener<Chunk> = (event: AgentStreamEvent<Chunk>) => unknown;

/**
 * Every loop reads from the beginning. Listeners get everything when the first of them is added.
 *
 * @example
 * stream.on("data", (event) => {
 *   if (event.type === "chunk") write(event.chunk);
 * });
 */
export class AgentStream<Chunk = UIMessageChunk> implements AsyncIterable<AgentStreamEvent<Chunk>> {
  /** For answers to what the agent asks. Rejects where there is none. */
  readonly session: Promise<Session>;
  readonly #read: () => AsyncGenerator<AgentStreamEvent<Chunk>, void>;
  readonly #stop: () => Promise<void>;
  readonly #listeners = new Set<Listener<Chunk>>();
  #isFlowing = false;

  /** `read` gives all events, each time it is called; it never rejects. */
  constructor(
    session: Promise<Session>,
    read: () => AsyncGenerator<AgentStreamEvent<Chunk>, void>,
    stop: () => Promise<void>,
  ) {
    this.session = session;
    // Who only reads hears of it there.
    session.catch(() => {});
    this.#read = read;
    this.#stop = stop;
  }

  on(_name: "data", listener: Listener<Chunk>): this {
    this.#listeners.add(listener);
    if (!this.#isFlowing) void this.#flow();
    return this;
  }

  off(_name: "data", listener: Listener<Chunk>): this {
    this.#listeners.delete(listener);
    return this;
  }

  /** Stops the turn of the prompt, or takes the prompt back while it waits. Leaving a loop does neither. */
  stop(): Promise<void> {
    return this.#stop();
  }

  [Symbol.asyncIterator](): AsyncGenerator<AgentStreamEvent<Chunk>, void> {
    return this.#read();
  }

  async #flow(): Promise<void> {
    this.#isFlowing = true;
    for await (const event of this.#read()) for (const listener of this.#listeners) tell(listener, event);
  }
}

/** A listener that throws does not keep the event from others; the program hears of it as of any error. */
function tell<Event>(listener: (event: Event) => unknown, event: Event): void {
  try {
    listener(event);
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
