/**
 * The events of one assistant message → chunks of the AI SDK UI message stream. A chunk depends only on the events of
 * its message before it: no clock, no connection. So live, replayed and stored messages are the same by construction.
 */
import { type EventOf, eventSchema, type SessionEvent } from "../../core/event.ts";
import { MessageIndex } from "../../core/message-index.ts";
import type { FinishReason, UIMessageChunk } from "./chunk.ts";
import { Asks } from "./outbound/asks.ts";
import { filePart, sourcePart } from "./outbound/attachments.ts";
import { DataPartEncoder } from "./outbound/data-parts.ts";
import { SegmentWriter } from "./outbound/segment-writer.ts";
import { isSubagentEvent, Subagents } from "./outbound/subagents.ts";
import { TextParts } from "./outbound/text-parts.ts";
import { ToolCalls } from "./outbound/tool-calls.ts";
import type { MessageMetadata } from "./ui-message.ts";

export interface MessageEncoderOptions {
  /** Whether the agent's tools are `tool-<name>` parts (default) or `dynamic-tool` parts. */
  toolParts?: "static" | "dynamic";
  /** What the metadata of a message tells about its session; the session's id comes from the events. */
  session?: { agent?: string; agentSessionId?: string };
  /**
   * Also encode what background work adds to a message after its end, for stored messages. A stream has ended by then.
   */
  lateContent?: boolean;
}

export interface MessageEncoder {
  /**
   * The chunks that this event adds. The encoder takes the message of the first `message.started` it is given; of
   * other messages it notices only that the next one of the turn begins, which ends this one.
   */
  encode(event: SessionEvent): UIMessageChunk[];
}

/**
 * @example
 * const encoder = createMessageEncoder({ session: { agent: "claude" } });
 * for (const event of events) for (const chunk of encoder.encode(event)) send(chunk);
 */
export function createMessageEncoder(options: MessageEncoderOptions = {}): MessageEncoder {
  let message: OutboundMessage | undefined;
  return {
    encode(event) {
      if (message) message.add(event);
      else if (event.type === "message.started") message = new OutboundMessage(event, options);
      return message?.take() ?? [];
    },
  };
}

class OutboundMessage {
  readonly #id: string;
  readonly #writer: SegmentWriter;
  readonly #texts: TextParts;
  readonly #calls: ToolCalls;
  readonly #subagents: Subagents;
  readonly #asks: Asks;
  readonly #data = new DataPartEncoder();
  readonly #index = new MessageIndex();
  readonly #takesLateContent: boolean;
  #hasEnded = false;

  constructor(event: EventOf<"message.started">, options: MessageEncoderOptions) {
    const { toolParts = "static", lateContent = false } = options;
    this.#takesLateContent = lateContent;
    this.#id = event.message;
    this.#writer = new SegmentWriter(event.message, startMetadata(event, options));
    this.#texts = new TextParts(this.#writer);
    this.#calls = new ToolCalls(this.#writer, toolParts);
    this.#subagents = new Subagents(this.#writer, toolParts);
    this.#asks = new Asks(this.#writer, this.#calls, this.#subagents, toolParts);
  }

  take(): UIMessageChunk[] {
    return this.#writer.take();
  }

  add(event: SessionEvent): void {
    if (this.#hasEnded && !this.#takesLateContent) return;
    // An ask that waits for the next event waits for one that means something.
    if (!isKnownEvent(event)) return;
    if (this.#index.messageOf(event) === this.#id) {
      this.#encode(event);
      this.#asks.showWaiting();
    } else if (event.type === "message.started" && !this.#hasEnded) {
      // A steered prompt was taken up: its answer goes on in a message of its own.
      this.#end("stop");
    }
  }

  #encode(event: SessionEvent): void {
    if (isSubagentEvent(event)) return this.#subagents.add(event);
    switch (event.type) {
      case "text.start":
      case "text.delta":
      case "text.end":
      case "reasoning.start":
      case "reasoning.delta":
      case "reasoning.end":
        return this.#texts.add(event);
      case "tool.output.delta":
        this.#calls.add(event);
        return this.#tell(event);
      case "tool.start":
      case "tool.updated":
      case "tool.input.delta":
      case "tool.input":
      case "tool.output":
      case "tool.failed":
      case "tool.denied":
      case "tool.abandoned":
        return this.#calls.add(event);
      case "ask.opened":
      case "ask.updated":
      case "ask.answered":
      case "ask.closed":
        return this.#asks.add(event);
      case "step.started":
        return this.#writer.startStep();
      case "step.ended":
        return this.#writer.leaveStep();
      case "file":
        this.#writer.ensureStep();
        return this.#writer.write(filePart(event));
      case "source":
        this.#writer.ensureStep();
        return this.#writer.write(sourcePart(event));
      case "turn.ended":
        return this.#endTurn(event);
      default:
        return this.#tell(event);
    }
  }

  #tell(event: SessionEvent): void {
    const chunk = this.#data.encode(event);
    if (chunk) this.#writer.write(chunk);
  }

  #endTurn(event: EventOf<"turn.ended">): void {
    const metadata = endMetadata(event);
    switch (event.outcome) {
      case "completed":
        return this.#end("stop", metadata);
      case "limit":
        return this.#end("length", metadata);
      case "refused":
        return this.#end("content-filter", metadata);
      case "interrupted":
        return this.#end("other", metadata, [{ type: "abort" }]);
      case "failed":
        // Clients read nothing after an error, so the metadata of `finish` has to come before it.
        return this.#end("error", metadata, [
          { type: "message-metadata", messageMetadata: metadata },
          { type: "error", errorText: event.error?.message ?? "The turn failed." },
        ]);
    }
  }

  #end(reason: FinishReason, metadata?: MessageMetadata, before?: UIMessageChunk[]): void {
    this.#writer.endMessage(reason, metadata, before);
    this.#hasEnded = true;
  }
}

function startMetadata(
  event: EventOf<"message.started">,
  { session = {} }: MessageEncoderOptions,
): MessageMetadata {
  const { agentSessionId } = session;
  const { model } = event;
  // Older logs do not name the agent; a session keeps its agent.
  const agent = event.agent ?? session.agent;
  return {
    session: event.session,
    ...(agent !== undefined && { agent }),
    ...(agentSessionId !== undefined && { agentSessionId }),
    ...(model !== undefined && { model }),
    turn: event.turn,
    replyTo: event.replyTo,
    createdAt: event.at,
  };
}

function endMetadata(event: EventOf<"turn.ended">): MessageMetadata {
  const { model, usage, cost, durationMs, waitedMs, outcome, error, delivery } = event;
  return {
    ...(model !== undefined && { model }),
    usage,
    ...(cost !== undefined && { cost }),
    durationMs,
    ...(waitedMs !== undefined && { waitedMs }),
    outcome,
    ...(error && { error }),
    ...(delivery && { delivery }),
  };
}

const KNOWN_TYPES: ReadonlySet<string> = new Set(eventSchema.options.map(({ shape }) => shape.type.value));

/** Whether this version knows the type of an event: a log may have been written by a later one. */
function isKnownEvent({ type }: SessionEvent): boolean {
  return KNOWN_TYPES.has(type);
}
