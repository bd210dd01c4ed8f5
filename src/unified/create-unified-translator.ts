/**
 * A session's log → UnifiedMessages. Pure: ids and times follow from the events, so that a reader who comes back gets the
 * same messages. It holds what is open: the answer that is being written, and the names of running calls. Begun in the
 * middle of a log, it needs the events since the start of the open turn.
 */
import type { EventOf, SessionEvent } from "../core/event.ts";
import { type AskedCall, askMessage, askUpdateMessage } from "./outbound/ask-messages.ts";
import { AssistantContent, newRoom, type Room } from "./outbound/assistant-content.ts";
import { type Said, said, status } from "./outbound/said.ts";
import { isSessionWide, sessionMessages } from "./outbound/session-messages.ts";
import { attachmentMessage, callMessage, partMessage } from "./outbound/stream-messages.ts";
import { tokenUsage } from "./outbound/token-usage.ts";
import {
  editMessage,
  progressMessage,
  resultMessage,
  summaryMessage,
  taskMessage,
} from "./outbound/tool-messages.ts";
import { unifiedErrorCode } from "./outbound/turn-error-code.ts";
import { callMessageId, conversationMessageId, unifiedId } from "./unified-id.ts";
import { MESSAGE_ROLES, type UnifiedMessage } from "./unified-message.ts";

/** Makes messages of events. */
export interface UnifiedTranslator {
  /** In the order of the log. At least one message for each event; of several, the last one completes it. */
  add(event: SessionEvent): UnifiedMessage[];
}

export interface UnifiedTranslatorOptions {
  /**
   * The guide has no `session_lifecycle`, and its `isUnifiedMessage` refuses it. Only with this are there any: else each is a
   * `status_change` with its `subtype` as the `kind`.
   */
  sessionLifecycle?: boolean;
}

/**
 * A translator for one session.
 *
 * @example
 * const translator = createUnifiedTranslator();
 * const messages = events.flatMap((event) => translator.add(event));
 * messages.filter(({ type }) => type === "result").length; // => 1
 */
export function createUnifiedTranslator(options: UnifiedTranslatorOptions = {}): UnifiedTranslator {
  return new LogTranslator(options);
}

/** The answer that is being written. */
interface OpenMessage {
  readonly id: string;
  readonly replyTo: string;
  model?: string;
  readonly room: Room;
  readonly content: AssistantContent;
  /** Of sub-agents, by the call that started each. */
  readonly inner: Map<string, AssistantContent>;
}

class LogTranslator implements UnifiedTranslator {
  readonly #hasLifecycle: boolean;
  #message: OpenMessage | undefined;
  /** Only then calls are remembered: who begins to read between two turns knows of none. */
  #isInTurn = false;
  /** Calls of this turn that are not settled. */
  readonly #calls = new Map<string, { name: string; input?: unknown }>();

  constructor({ sessionLifecycle = false }: UnifiedTranslatorOptions) {
    this.#hasLifecycle = sessionLifecycle;
  }

  add(event: SessionEvent): UnifiedMessage[] {
    return this.#say(event).map((each, index) =>
      stamped(event, this.#hasLifecycle ? each : withoutLifecycle(each), index),
    );
  }

  #say(event: SessionEvent): Said[] {
    if (isSessionWide(event)) return sessionMessages(event);
    this.#collect(event);
    switch (event.type) {
      case "turn.started":
        this.#isInTurn = true;
        return [status("turn", { status: "running", origin: event.origin, agent: event.agent })];
      case "turn.stopping":
        return [status("turn", { status: "stopping" })];
      case "turn.ended":
        return this.#endTurn(event);
      case "message.started":
        return this.#startMessage(event);
      case "message.system": {
        const { text, cause, task, message } = event;
        const metadata = { kind: "system_message", cause, task_id: task };
        return [
          { type: "status_change", metadata, content: [{ type: "text", text }], conversation: message },
        ];
      }
      case "step.started":
        return [status("step_start", { status: "running", step: event.step })];
      case "step.ended":
        return [status("step_finish", { status: "running", step: event.step, reason: event.reason })];
      case "text.start":
      case "text.delta":
      case "text.end":
      case "reasoning.start":
      case "reasoning.delta":
      case "reasoning.end":
        return [partMessage(event)];
      case "content.discarded": {
        const { parts, calls, reason } = event;
        const metadata = { part_ids: parts, tool_use_ids: calls, reason };
        return [said("session_lifecycle", { subtype: "message_part_removed", ...metadata })];
      }
      case "file":
      case "source":
        return [attachmentMessage(event)];
      case "tool.summary":
        return [summaryMessage(event)];
      case "file.edited":
        return [editMessage(event)];
      case "task.started":
      case "task.updated":
      case "task.stopping":
      case "task.ended":
        return [taskMessage(event)];
      case "ask.opened":
        return [this.#ask(event)];
      case "ask.updated":
      case "ask.answered":
      case "ask.closed":
        return [askUpdateMessage(event)];
      case "tool.start":
        if (this.#isInTurn) this.#calls.set(event.call, { name: event.name });
        return [callMessage(event, event.name)];
      default:
        return this.#sayCall(event);
    }
  }

  #sayCall(event: Extract<SessionEvent, { type: `tool.${string}`; call: string }>): Said[] {
    const call = this.#calls.get(event.call);
    const parentId = callMessageId(event.session, event.call);
    const withParent = (each: Said): Said => ({ parentId, ...each });
    switch (event.type) {
      case "tool.start":
        return [];
      case "tool.input":
        if (call) call.input = event.input;
        return [callMessage(event, call?.name)];
      case "tool.input.delta":
        return [callMessage(event, call?.name)];
      case "tool.updated":
        if (call && event.name !== undefined) call.name = event.name;
        return [withParent(progressMessage(event, call?.name))];
      case "tool.progress":
      case "tool.output.delta":
        return [withParent(progressMessage(event, call?.name))];
      case "tool.output":
        if (event.preliminary) return [withParent(resultMessage(event, call?.name))];
    }
    this.#calls.delete(event.call);
    const result = withParent(resultMessage(event, call?.name));
    const inner = this.#message?.inner.get(event.call);
    if (!this.#message || !inner) return [result];
    // A sub-agent has ended with the call that started it.
    this.#message.inner.delete(event.call);
    const whole = this.#assistant(this.#message, inner, { parent_tool_use_id: event.call });
    return [...whole.map(withParent), result];
  }

  /** Background work is streamed only: its content may lie before the turn in which somebody begins to read. */
  #collect(event: SessionEvent): void {
    if (!this.#message || event.turn === undefined || event.message !== this.#message.id) return;
    const parent = "parent" in event ? event.parent : undefined;
    if (parent === undefined) return this.#message.content.add(event);
    let inner = this.#message.inner.get(parent);
    if (!inner) {
      inner = new AssistantContent(this.#message.room);
      this.#message.inner.set(parent, inner);
    }
    inner.add(event);
  }

  #startMessage(event: EventOf<"message.started">): Said[] {
    const { session, message: id, model, replyTo, agent } = event;
    const finished = this.#finishMessage(event);
    const room = newRoom();
    this.#message = { id, replyTo, model, room, content: new AssistantContent(room), inner: new Map() };
    const start = { type: "message_start", message: { id, role: "assistant", model } };
    const metadata = { event: start, model, agent, inResponseTo: replyTo };
    const begun = { ...said("stream_event", metadata), parentId: conversationMessageId(session, replyTo) };
    return [...finished, begun];
  }

  /** The whole answer, and those of sub-agents that are still open. */
  #finishMessage(event: EventOf<"message.started" | "turn.ended">): Said[] {
    const message = this.#message;
    if (!message) return [];
    this.#message = undefined;
    if (event.type === "turn.ended") message.model = event.model ?? message.model;
    const inner = [...message.inner].flatMap(([call, content]) =>
      this.#assistant(message, content, { parent_tool_use_id: call }).map((each) => ({
        ...each,
        parentId: callMessageId(event.session, call),
      })),
    );
    const whole = this.#assistant(message, message.content).map((each) => ({
      ...each,
      parentId: conversationMessageId(event.session, message.replyTo),
    }));
    return [...inner, ...whole];
  }

  #assistant(message: OpenMessage, content: AssistantContent, more: Record<string, unknown> = {}): Said[] {
    if (content.isEmpty) return [];
    const { id, model, replyTo } = message;
    const metadata = { message_id: id, model, inResponseTo: replyTo, truncated: content.isCut || undefined };
    return [said("assistant", { ...metadata, ...more }, content.blocks())];
  }

  #endTurn(event: EventOf<"turn.ended">): Said[] {
    const replyTo = this.#message?.replyTo;
    const finished = this.#finishMessage(event);
    this.#calls.clear();
    this.#isInTurn = false;
    const { outcome, error, model, usage, cost, durationMs, waitedMs, delivery, session } = event;
    const metadata = {
      subtype: outcome === "completed" ? "success" : `error_${unifiedErrorCode(event)}`,
      outcome,
      is_error: outcome !== "completed" && outcome !== "interrupted",
      error_code: unifiedErrorCode(event),
      error: error?.message,
      native_error_code: error?.code,
      model,
      usage: tokenUsage(usage),
      cost,
      duration_ms: durationMs,
      waited_ms: waitedMs,
      delivery,
      inResponseTo: replyTo,
    };
    const refusal = error?.message ?? "The model refused to answer.";
    const content = outcome === "refused" ? [{ type: "refusal" as const, refusal }] : [];
    const parentId = replyTo === undefined ? undefined : conversationMessageId(session, replyTo);
    const result = { ...said("result", metadata, content), parentId };
    return [...finished, result, status("turn", { status: "idle" })];
  }

  #ask(event: EventOf<"ask.opened">): Said {
    const call: AskedCall | undefined = event.call === undefined ? undefined : this.#calls.get(event.call);
    const said = askMessage(event, call);
    if (event.call === undefined) return said;
    return { ...said, parentId: callMessageId(event.session, event.call) };
  }
}

function withoutLifecycle(each: Said): Said {
  if (each.type !== "session_lifecycle") return each;
  const { subtype, ...metadata } = each.metadata ?? {};
  return status(String(subtype), metadata, each.content);
}

function stamped(event: SessionEvent, each: Said, index: number): UnifiedMessage {
  const { session, seq, at } = event;
  const { type, content = [], conversation } = each;
  const metadata: Record<string, unknown> = { session_id: session };
  // Here `message` is what a person said.
  if (event.message !== undefined && event.type !== "ask.answered") metadata.message_id = event.message;
  if (event.turn !== undefined) metadata.turn_id = event.turn;
  const { parent, task, by } = event as { parent?: string; task?: string; by?: string };
  if (by !== undefined) metadata.by = by;
  if (parent !== undefined) metadata.parent_tool_use_id = parent;
  if (task !== undefined) metadata.task_id = task;
  for (const name in each.metadata)
    if (each.metadata[name] !== undefined) metadata[name] = each.metadata[name];
  const parentId = each.parentId ?? (parent === undefined ? undefined : callMessageId(session, parent));
  return {
    id:
      conversation === undefined
        ? unifiedId(session, `${seq}.${index}`)
        : conversationMessageId(session, conversation),
    timestamp: at,
    type,
    role: type === "unknown" ? "assistant" : MESSAGE_ROLES[type],
    content,
    metadata,
    ...(parentId !== undefined && { parentId }),
  };
}
