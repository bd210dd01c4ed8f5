/** One request to the model, from its first part to its last. Tools are not run here. */
import { jsonSchema, type ModelMessage, type SystemModelMessage, streamText, type ToolSet, tool } from "ai";
import { costOf } from "../prices.ts";
import type { WireEffort, WireEvent, WirePart } from "../wire.ts";
import type { ChosenModel } from "./create-model.ts";
import { isOffered, type LoopTool } from "./loop-tool.ts";
import { mayThink } from "./may-think.ts";
import { withPlainCallIds } from "./plain-call-ids.ts";

export interface ModelRequest {
  readonly model: ChosenModel;
  readonly instructions: string;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly LoopTool[];
  readonly effort: WireEffort;
  readonly signal: AbortSignal;
  /** Its number, for the ids of parts. */
  readonly number: number;
  emit(event: WireEvent): Promise<void>;
}

export interface ModelCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
  /** Its tool is not known, or its input is no JSON. */
  readonly isInvalid?: boolean;
}

export interface ModelAnswer {
  /** For the conversation. */
  readonly messages: readonly ModelMessage[];
  readonly calls: readonly ModelCall[];
  readonly finishReason: string;
  /** All tokens of the conversation, as the provider counted; 0 where it did not. */
  readonly tokens: number;
}

/** What was heard of an answer before it broke off. */
export interface Heard {
  readonly parts: readonly string[];
  readonly calls: readonly string[];
  readonly text: string;
}

export class BrokenAnswer extends Error {
  readonly heard: Heard;

  constructor(heard: Heard, cause: unknown) {
    super("the answer broke off", { cause });
    this.heard = heard;
  }
}

/** In the words that the libraries have for it where they notice. */
const CUT_ANSWER = "The stream ended without a finish reason.";

const CACHED = { anthropic: { cacheControl: { type: "ephemeral" as const } } };

/** Throws `BrokenAnswer` when it fails or is aborted. */
export async function requestModel(request: ModelRequest): Promise<ModelAnswer> {
  const { model, number, emit, signal } = request;
  const listener = new Listener();
  try {
    const result = streamText({
      model: model.instance,
      instructions: systemMessage(request.instructions),
      messages: cachedMessages(messagesFor(request)),
      tools: toolSet(request.tools.filter(isOffered)),
      // Every attempt is one of ours, so that it can be told.
      maxRetries: 0,
      abortSignal: signal,
      include: { rawChunks: true },
      ...(mayThink(request) && { reasoning: request.effort as Exclude<WireEffort, "default"> }),
      providerOptions: { openai: { store: false } },
      onError: () => {},
    });
    // It rejects with what the stream has told already.
    const response = Promise.resolve(result.response).catch(() => undefined);
    let original: unknown;
    for await (const part of result.fullStream) {
      if (part.type === "raw") {
        if (original !== undefined)
          await emit({ event: "part", request: number, part: { type: "raw" }, original, model: model.name });
        original = part.rawValue;
        continue;
      }
      if (part.type === "error") throw part.error;
      if (part.type === "abort") throw signal.reason ?? new Error("aborted");
      // The library's words about an invalid call. It is answered like every other.
      if (part.type === "tool-error") continue;
      listener.hear(part as WirePart);
      const event: WireEvent = { event: "part", request: number, part: toWirePart(part as WirePart) };
      if (original !== undefined) Object.assign(event, { original, model: model.name });
      original = undefined;
      if (part.type === "finish-step") Object.assign(event, spent(model, part as never));
      await emit(event);
    }
    signal.throwIfAborted();
    if (listener.isCut) throw new Error(CUT_ANSWER);
    const messages = (await response)?.messages ?? [];
    return { messages: messages.flatMap(assistantMessage), ...listener.answer };
  } catch (error) {
    throw new BrokenAnswer(listener.heard, error);
  }
}

class Listener {
  readonly #parts = new Set<string>();
  readonly #calls = new Map<string, ModelCall | undefined>();
  #text = "";
  #finishReason = "unknown";
  #isFinished = false;
  #tokens = 0;

  hear(part: WirePart): void {
    switch (part.type) {
      case "text-start":
      case "reasoning-start":
        this.#parts.add(part.id);
        return;
      case "text-delta":
        this.#text += part.text;
        return;
      case "tool-input-start":
        this.#calls.set(part.id, undefined);
        return;
      case "tool-call": {
        const { toolCallId: id, toolName: name, input, invalid: isInvalid } = part;
        this.#calls.set(id, { id, name, input, isInvalid });
        return;
      }
      case "finish-step":
        this.#finishReason = part.finishReason;
        this.#isFinished = isFinished(part);
        this.#tokens = (part.usage.inputTokens ?? 0) + (part.usage.outputTokens ?? 0);
    }
  }

  get heard(): Heard {
    return { parts: [...this.#parts], calls: [...this.#calls.keys()], text: this.#text };
  }

  /** Whether the provider never said that the answer is over. */
  get isCut(): boolean {
    return !this.#isFinished;
  }

  get answer(): Pick<ModelAnswer, "calls" | "finishReason" | "tokens"> {
    const calls = [...this.#calls.values()].filter((call) => call !== undefined);
    return { calls, finishReason: this.#finishReason, tokens: this.#tokens };
  }
}

/** A reason that no provider gave is made up by the library, when a stream ends in the middle of an answer. */
function isFinished({ finishReason, rawFinishReason }: Extract<WirePart, { type: "finish-step" }>): boolean {
  return finishReason !== "interrupted" && (finishReason !== "other" || rawFinishReason !== undefined);
}

/** Errors do not survive JSON. */
function toWirePart(part: WirePart): WirePart {
  if (part.type !== "tool-call" || !part.invalid) return part;
  const { type, toolCallId, toolName, input, invalid } = part;
  return { type, toolCallId, toolName, input, invalid };
}

/** The cost is known where the price and the tokens are. */
export function spent(
  { name, price, window }: ChosenModel,
  { usage }: Extract<WirePart, { type: "finish-step" }>,
): { model: string; dollars?: number; window?: number } {
  const { inputTokens: input, outputTokens: output, inputTokenDetails } = usage;
  if (!price || input === undefined || output === undefined) return { model: name, window };
  const cacheRead = inputTokenDetails?.cacheReadTokens ?? 0;
  const cacheWrite = inputTokenDetails?.cacheWriteTokens ?? 0;
  return { model: name, window, dollars: costOf({ input, output, cacheRead, cacheWrite }, price) };
}

function messagesFor({ model, messages }: ModelRequest): readonly ModelMessage[] {
  return model.provider.type === "anthropic" ? withPlainCallIds(messages) : messages;
}

function toolSet(tools: readonly LoopTool[]): ToolSet {
  return Object.fromEntries(
    tools.map(({ name, description, schema }) => [
      name,
      tool({ description, inputSchema: jsonSchema(schema as never) }),
    ]),
  );
}

/** What comes before a mark is cached by Anthropic: the instructions with the tools, and the conversation so far. */
function systemMessage(content: string): SystemModelMessage {
  return { role: "system", content, providerOptions: CACHED };
}

function cachedMessages(messages: readonly ModelMessage[]): ModelMessage[] {
  const last = messages.at(-1);
  if (!last) return [];
  const providerOptions = { ...last.providerOptions, ...CACHED };
  return [...messages.slice(0, -1), { ...last, providerOptions }];
}

/** Without marks of a provider that are no content, and without blank text, which providers refuse. */
function assistantMessage(message: ModelMessage): ModelMessage[] {
  // Calls are answered by us.
  if (message.role !== "assistant") return [];
  const said =
    typeof message.content === "string"
      ? [{ type: "text" as const, text: message.content }]
      : message.content.filter(({ type }) => type !== "custom");
  const content = said.filter((part) => part.type !== "text" || part.text.trim() !== "");
  return content.length === 0 ? [] : [{ ...message, content }];
}
