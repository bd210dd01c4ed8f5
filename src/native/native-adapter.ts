/** The adapter of an agent: its own messages as those of the AI SDK. */
import { PROTOCOLS } from "../agents/registry.ts";
import { InterlinguaError } from "../core/error.ts";
import { errorText } from "../core/error-text.ts";
import { MessageFold } from "../core/fold-messages.ts";
import { ownValue } from "../core/own-value.ts";
import { adaptUserMessage } from "../dialects/ai-sdk/library/adapt-user-message.ts";
import {
  createMessageAccumulator,
  type MessageAccumulator,
} from "../dialects/ai-sdk/library/message-accumulator.ts";
import { toByteStream } from "../dialects/ai-sdk/library/to-byte-stream.ts";
import { DONE_FRAME, toSseFrame } from "../dialects/ai-sdk/sse.ts";
import { toUIMessage } from "../dialects/ai-sdk/to-ui-message.ts";
import type { UIMessage } from "../dialects/ai-sdk/ui-message.ts";
import type { NativeForm } from "./form.ts";
import { acp } from "./forms/acp.ts";
import { amp } from "./forms/amp.ts";
import { claude } from "./forms/claude.ts";
import { codex } from "./forms/codex.ts";
import { opencode } from "./forms/opencode.ts";
import { JoinedMessages } from "./join-messages.ts";
import { NativeEvents, type NativeEventsOptions, type NativeMessage, readFields } from "./native-events.ts";

const FORMS = { claude, codex, opencode, amp, acp } satisfies Record<string, NativeForm>;

/** Whose messages can be read. */
export type NativeAgent = keyof typeof FORMS;

export interface NativeStreamOptions extends NativeEventsOptions {
  /** Whether the agent's tools are `tool-<name>` parts (default) or `dynamic-tool` parts. */
  readonly toolParts?: "static" | "dynamic";
  /** What the client is told when reading the agent's messages fails; the error's own message when left out. */
  onError?(error: unknown): string;
}

export interface NativeAccumulator extends Omit<MessageAccumulator, "process"> {
  /** The agent's messages in their order. */
  process(message: NativeMessage): void;
  /** The same as `getAgentSessionId`. */
  getClaudeSessionId(): string | null;
}

export interface NativeAdapter {
  /** One whole message. Its calls stay open: their results are in other messages. */
  adaptMessage(message: NativeMessage, options?: NativeEventsOptions): UIMessage;
  /** All messages as the body of one response, as server-sent events that end with `[DONE]`. */
  adaptStream(
    messages: AsyncIterable<NativeMessage> | Iterable<NativeMessage>,
    options?: NativeStreamOptions,
  ): ReadableStream<Uint8Array>;
  /** What a person wrote, as the agent takes it. Rejects with `unsupported` for a file it has no place for. */
  adaptUserMessage(text: string, files?: readonly File[]): Promise<unknown>;
  /** Collects messages into those of a conversation, to be stored. */
  createMessageAccumulator(options?: NativeEventsOptions): NativeAccumulator;
}

/**
 * @example
 * const adapter = nativeAdapter("claude");
 * const stream = adapter.adaptStream(query({ prompt }));
 * return new Response(stream, { headers: UI_MESSAGE_STREAM_HEADERS });
 */
export function nativeAdapter(agent: NativeAgent): NativeAdapter {
  const form = ownValue(FORMS as Record<string, NativeForm>, agent);
  const protocol = PROTOCOLS.get(agent);
  if (!form || !protocol) {
    const names = Object.keys(FORMS).join(", ");
    throw new InterlinguaError(
      "invalid_request",
      `Nobody here reads messages of "${agent}". Name one of ${names}.`,
    );
  }
  const createEvents = (options?: NativeEventsOptions) => new NativeEvents(protocol, form, options);
  return {
    adaptMessage(message, options) {
      const events = createEvents(options);
      const fold = new MessageFold();
      for (const event of [...events.add(message), ...events.flush()]) fold.add(event);
      // A prompt begins an answer too, which is in other messages.
      const record = fold.messages.find(({ role }) => role === "user") ?? fold.messages.at(-1);
      const fields = readFields(message) ?? {};
      const adapted: UIMessage = record
        ? toUIMessage(record, { session: { agent } })
        : {
            id: options?.generateId?.() ?? crypto.randomUUID(),
            role: roleOf(fields.type),
            parts: [],
          };
      return { ...adapted, id: form.idOf(fields) ?? adapted.id };
    },
    adaptStream: (messages, options) => toByteStream(frames(createEvents(options), agent, messages, options)),
    adaptUserMessage: async (text, files) => form.toInput(await adaptUserMessage(text, files)),
    createMessageAccumulator(options) {
      const events = createEvents(options);
      const { process, ...accumulator } = createMessageAccumulator({ session: { agent } });
      return {
        ...accumulator,
        process: (message) => events.add(message).forEach(process),
        getMessages() {
          events.flush().forEach(process);
          return accumulator.getMessages();
        },
        getClaudeSessionId: accumulator.getAgentSessionId,
      };
    },
  };
}

async function* frames(
  events: NativeEvents,
  agent: string,
  messages: AsyncIterable<NativeMessage> | Iterable<NativeMessage>,
  { toolParts, onError = errorText }: NativeStreamOptions = {},
): AsyncGenerator<string, undefined> {
  const joined = new JoinedMessages({ toolParts, session: { agent } });
  try {
    for await (const message of messages) {
      const chunks = events.add(message).flatMap((event) => joined.add(event));
      if (chunks.length > 0) yield chunks.map(toSseFrame).join("");
    }
    const rest = [...events.end().flatMap((event) => joined.add(event)), ...joined.end()];
    if (rest.length > 0) yield rest.map(toSseFrame).join("");
  } catch (error) {
    yield toSseFrame({ type: "error", errorText: onError(error) });
  }
  yield DONE_FRAME;
}

function roleOf(type: unknown): UIMessage["role"] {
  return type === "user" || type === "system" ? type : "assistant";
}
