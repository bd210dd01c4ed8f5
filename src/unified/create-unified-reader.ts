/**
 * What an adapter of the UnifiedMessage protocol yields → drafts, for any adapter that keeps to the guide. Pure but for its
 * own state, which is bounded. Nothing is dropped in silence: what is no message, or has no meaning for us, is
 * `agent.unknown` or named as unread. What was streamed is not told again when it comes whole.
 */
import type { Draft } from "../core/draft.ts";
import { isRecord } from "../core/is-record.ts";
import { shortId } from "../core/short-id.ts";
import { typedDraft } from "../core/typed-draft.ts";
import { addCost, addUsage, type TokenUsage } from "../core/usage.ts";
import { checkUnifiedMessage } from "./check-unified-message.ts";
import { agentState } from "./reading/agent-state.ts";
import { askOpened } from "./reading/ask.ts";
import { blockText, type TextBlock } from "./reading/block-text.ts";
import { KnownCalls, type Origin } from "./reading/known-calls.ts";
import { type Metadata, recordIn, textIn } from "./reading/metadata.ts";
import { authDrafts, lifecycleDrafts, statusDrafts } from "./reading/status-drafts.ts";
import { imageFile, StreamReader } from "./reading/stream-reader.ts";
import { StreamedContent } from "./reading/streamed-content.ts";
import { progressDrafts, resultDrafts, summaryDrafts } from "./reading/tool-reader.ts";
import { turnEnd, usageBeyond, usageIn } from "./reading/turn-end.ts";
import type { UnifiedContent, UnifiedMessage } from "./unified-message.ts";

/** What a message means. */
export interface UnifiedReading {
  drafts: Draft[];
  /** What was not used. */
  unread?: string[];
}

/** Reads the messages of one session, in their order. */
export interface UnifiedReader {
  /** Takes any value and never throws. */
  read(value: unknown): UnifiedReading;
}

export interface UnifiedReaderOptions {
  /**
   * What ends a turn. By the guide that is a `result`; the status `idle` after an answer does, too. An adapter that sends
   * neither needs `assistant`: then each of these is a whole answer. Default: `result`.
   */
  turnEnd?: "result" | "assistant";
  /** What you call the session. Another `session_id` in `session_init` is the agent's own name of it. */
  sessionId?: string;
}

const COMPLETED: Draft = { type: "turn.ended", outcome: "completed" };

/** How many sub-agents can stream at the same time. */
const MAX_GROUPS = 1000;

/**
 * A reader for one session.
 *
 * @example
 * const reader = createUnifiedReader();
 * reader.read({ hello: 1 }).drafts[0]?.type; // => "agent.unknown"
 */
export function createUnifiedReader(options: UnifiedReaderOptions = {}): UnifiedReader {
  return new MessageReader(options);
}

class MessageReader implements UnifiedReader {
  readonly #turnEnd: "result" | "assistant";
  readonly #sessionId: string | undefined;
  readonly #calls = new KnownCalls();
  readonly #stream = new StreamReader(this.#calls);
  /** Of the agent itself, and of each sub-agent. */
  readonly #streamed = new Map<string, StreamedContent>();
  #usage: TokenUsage & { cost?: number } = {};
  /** The agent has said something since the last result. */
  #hasContent = false;

  constructor({ turnEnd = "result", sessionId }: UnifiedReaderOptions) {
    this.#turnEnd = turnEnd;
    this.#sessionId = sessionId;
  }

  read(value: unknown): UnifiedReading {
    const problem = checkUnifiedMessage(value);
    if (problem) return { drafts: [unreadable(value, problem)] };
    const message = value as UnifiedMessage;
    const drafts = this.#read(message);
    if (!drafts) return { drafts: [], unread: [nameOf(message)] };
    for (const draft of drafts) this.#note(draft);
    return { drafts: drafts.map(typedDraft) };
  }

  /** Undefined for what was not used. */
  #read(message: UnifiedMessage): Draft[] | undefined {
    const { metadata } = message;
    const origin = originOf(message);
    switch (message.type) {
      case "session_init":
        return [{ type: "session.attached", ...this.#ownName(metadata), ...agentState(metadata) }];
      case "status_change":
        return this.#isIdle(message) ? [COMPLETED] : statusDrafts(message, origin);
      case "stream_event": {
        const drafts = this.#stream.read(message, origin, this.#group(origin));
        return drafts.length === 0 && message.content.length > 0 ? undefined : drafts;
      }
      case "assistant": {
        const drafts = this.#readAnswer(message, origin);
        return this.#turnEnd === "assistant" ? [...drafts, COMPLETED] : drafts;
      }
      case "result":
        return this.#readResult(message);
      case "permission_request": {
        const ask = textIn(metadata, "request_id", "requestId") ?? message.id;
        return [...this.#askedCall(message, origin), askOpened(ask, metadata, origin)];
      }
      case "tool_progress":
        return progressDrafts(message, this.#calls, origin);
      case "tool_use_summary":
        return summaryDrafts(message, this.#calls, origin);
      case "auth_status":
        return authDrafts(message);
      case "session_lifecycle":
        return lifecycleDrafts(metadata, origin, "subtype");
      case "user_message":
        return this.#readEcho(message, origin);
      case "unknown": {
        const text = textIn(metadata, "text");
        const native = textIn(metadata, "native_type", "type") ?? "unknown";
        return [{ type: "agent.unknown", native, ...(text !== undefined && { text }) }];
      }
      case "control_response":
      case "permission_response":
      case "interrupt":
      case "configuration_change":
        return undefined;
    }
  }

  #ownName(metadata: Metadata): { agentSessionId?: string } {
    const name = textIn(metadata, "session_id");
    const isOwn = this.#sessionId !== undefined && name !== undefined && name !== "";
    return isOwn && name !== this.#sessionId ? { agentSessionId: name } : {};
  }

  #isIdle({ metadata }: UnifiedMessage): boolean {
    return this.#hasContent && textIn(metadata, "status") === "idle";
  }

  #readResult(message: UnifiedMessage): Draft[] {
    const drafts: Draft[] = [];
    const said = textIn(message.metadata, "result");
    // Some agents tell their answer only here.
    if (!this.#hasContent && said) drafts.push({ type: "text.delta", delta: said });
    const beyond = usageBeyond(usageIn(message.metadata), this.#usage);
    const model = textIn(message.metadata, "model");
    if (beyond) drafts.push({ type: "usage", ...beyond, ...(model !== undefined && { model }) });
    drafts.push(turnEnd(message));
    return drafts;
  }

  /** Whole blocks, less what was streamed. */
  #readAnswer(message: UnifiedMessage, origin: Origin): Draft[] {
    const streamed = this.#group(origin);
    // Such a message repeats what was streamed, and not even all of it.
    const isRepeated = message.metadata.truncated === true;
    return message.content.flatMap((block, at) => {
      if (isRepeated && block.type !== "tool_use" && block.type !== "tool_result") return [];
      return this.#readWhole(block, `${message.id}#${at}`, origin, streamed);
    });
  }

  #readWhole(block: UnifiedContent, part: string, origin: Origin, streamed: StreamedContent): Draft[] {
    switch (block.type) {
      case "tool_use":
        return this.#calls.whole(block.id, block.name, block.input, origin);
      case "tool_result":
        return resultDrafts(block.tool_use_id, {}, block, this.#calls, origin);
      case "image":
        return streamed.takeImage(block.source.data) ? [] : [imageFile(block, undefined, origin)];
      default:
        return wholeText(block, part, origin, streamed);
    }
  }

  /** Some agents give results of tools as messages of the user. What a person said is known where it was said. */
  #readEcho({ content }: UnifiedMessage, origin: Origin): Draft[] | undefined {
    const results = content.filter((block) => block.type === "tool_result");
    if (results.length === 0) return undefined;
    return results.flatMap((block) => resultDrafts(block.tool_use_id, {}, block, this.#calls, origin));
  }

  #askedCall({ metadata }: UnifiedMessage, origin: Origin): Draft[] {
    const call = textIn(metadata, "tool_use_id");
    if (call === undefined) return [];
    const name = textIn(metadata, "tool_name", "toolName");
    return this.#calls.whole(call, name, recordIn(metadata, "input"), origin);
  }

  #group({ parent = "", task = "" }: Origin): StreamedContent {
    const key = `${parent} ${task}`;
    let group = this.#streamed.get(key);
    if (!group) {
      const [oldest] = this.#streamed.keys();
      if (this.#streamed.size >= MAX_GROUPS) this.#streamed.delete(oldest!);
      group = new StreamedContent();
      this.#streamed.set(key, group);
    }
    return group;
  }

  #note(draft: Draft): void {
    if (draft.type === "turn.ended") {
      this.#streamed.clear();
      this.#usage = {};
      this.#hasContent = false;
    } else if (draft.type === "usage") {
      const cost = addCost(this.#usage.cost, draft.cost);
      this.#usage = { ...addUsage(this.#usage, draft), ...(cost !== undefined && { cost }) };
    } else if (/^(text|reasoning|tool|file|source)\b/.test(draft.type)) this.#hasContent = true;
  }
}

function wholeText(block: TextBlock, part: string, origin: Origin, streamed: StreamedContent): Draft[] {
  const kind = block.type === "thinking" ? "thinking" : "text";
  const { news, restOf } = streamed.take(kind, blockText(block));
  if (news === "") return [];
  const name = kind === "thinking" ? "reasoning" : "text";
  // The rest of a text that is being streamed belongs to it.
  if (restOf) {
    const named = restOf.part === undefined ? {} : { part: restOf.part };
    return [{ type: `${name}.delta`, ...named, delta: news, ...origin }];
  }
  return [
    { type: `${name}.start`, part, ...origin },
    { type: `${name}.delta`, part, delta: news, ...origin },
    { type: `${name}.end`, part, ...origin },
  ];
}

function originOf({ metadata }: UnifiedMessage): Origin {
  const parent = textIn(metadata, "parent_tool_use_id");
  const task = textIn(metadata, "task_id");
  return { ...(parent !== undefined && { parent }), ...(task !== undefined && { task }) };
}

function nameOf({ type, metadata }: UnifiedMessage): string {
  const kind = textIn(metadata, "kind", "subtype");
  return kind === undefined ? type : `${type}/${kind.slice(0, 64)}`;
}

/** The raw record has what it was. */
function unreadable(value: unknown, { path, message }: { path: string; message: string }): Draft {
  let native = "invalid";
  try {
    if (isRecord(value) && typeof value.type === "string") native = shortId(value.type);
  } catch {
    // A getter of a hostile value.
  }
  return {
    type: "agent.unknown",
    native,
    text: `no UnifiedMessage: ${path === "" ? "it" : path} ${message}`,
  };
}
