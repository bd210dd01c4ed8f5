/** Puts what an agent really said on the chunks that came from it, as `providerMetadata` under the agent's name. */
import type { SessionEvent } from "../../../core/event.ts";
import type { RawOrigin } from "../../../core/raw-record.ts";
import type { SessionFacts } from "../../dialect.ts";
import type { UIMessageChunk } from "../chunk.ts";
import type { ProviderMetadata } from "../ui-message.ts";

type TextChunk = Extract<UIMessageChunk, { type: `${"text" | "reasoning"}-${string}` }>;

export class RawMetadata {
  #agent: string;
  /** What clients have as the metadata of an open text. What comes with a later chunk replaces it. */
  readonly #texts = new Map<string, ProviderMetadata>();
  /** The agent's own ids of what is open, by ours. */
  readonly #natives = new Map<string, string>();
  #origin: ProviderMetadata = {};

  constructor({ agent = "agent" }: SessionFacts) {
    this.#agent = agent;
  }

  /** Before the chunks of the event. Gives it back as it is in the log. */
  enter({ rawRecord, ...event }: SessionEvent & RawOrigin): SessionEvent {
    if (event.type === "message.started" && event.agent !== undefined) this.#agent = event.agent;
    const native = this.#nativeOf(event);
    this.#origin = {};
    if (rawRecord === undefined) return event;
    const { data, agentSessionId } = rawRecord;
    const message = contentOf(data);
    this.#origin[this.#agent] = {
      message,
      ...chunkOf(message),
      ...(native !== undefined && { id: native }),
      ...(agentSessionId !== undefined && { sessionId: agentSessionId }),
    };
    return event;
  }

  /** Only where every client accepts the field. */
  add(chunk: UIMessageChunk): UIMessageChunk {
    switch (chunk.type) {
      case "text-start":
      case "text-delta":
      case "text-end":
      case "reasoning-start":
      case "reasoning-delta":
      case "reasoning-end":
        return this.#addToText(chunk);
      case "tool-input-available":
      case "file":
        return this.#with(chunk, chunk.providerMetadata);
      case "source-url":
      case "source-document":
        return this.#with(chunk);
      default:
        return chunk;
    }
  }

  #addToText(chunk: TextChunk): UIMessageChunk {
    if ("providerMetadata" in chunk && chunk.providerMetadata)
      this.#texts.set(chunk.id, chunk.providerMetadata);
    const shown = this.#with(chunk, this.#texts.get(chunk.id));
    if (chunk.type === "text-end" || chunk.type === "reasoning-end") this.#texts.delete(chunk.id);
    return shown;
  }

  #with(chunk: UIMessageChunk, known: ProviderMetadata = {}): UIMessageChunk {
    if (this.#origin[this.#agent] === undefined) return chunk;
    return { ...chunk, providerMetadata: { ...known, ...this.#origin } } as UIMessageChunk;
  }

  #nativeOf(event: SessionEvent): string | undefined {
    const key = "part" in event ? event.part : "call" in event ? event.call : undefined;
    const native = "native" in event ? event.native : undefined;
    if (key === undefined) return native;
    if (native !== undefined) this.#natives.set(key, native);
    const known = this.#natives.get(key);
    if (ENDS.has(event.type)) this.#natives.delete(key);
    return known;
  }
}

const ENDS: ReadonlySet<SessionEvent["type"]> = new Set([
  "text.end",
  "reasoning.end",
  "tool.output",
  "tool.failed",
  "tool.denied",
  "tool.abandoned",
]);

type Json = ProviderMetadata[string][string];

/** Of an agent that passes on what a model's service sent: that, and the model. */
function chunkOf(message: Json): { original?: Json; model?: Json } {
  if (typeof message !== "object" || message === null || Array.isArray(message)) return {};
  const { original, model } = message;
  return original === undefined ? {} : { original, ...(model !== undefined && { model }) };
}

/** Lines are JSON, nearly all of them. */
function contentOf(data: unknown): Json {
  if (typeof data !== "string") return data as Json;
  try {
    return JSON.parse(data) as Json;
  } catch {
    return data;
  }
}
