/**
 * How consumers of UnifiedMessages read a conversation: everything that is sent, or only whole answers. Written from the
 * reference of the messages, by which each can be taken back to what happened; the log's own fold does the rest.
 */
import type { SessionEvent } from "../../../src/core/event.ts";
import {
  type CallPart,
  foldTranscript,
  type Transcript,
  type TranscriptContract,
  type TranscriptMessage,
  type TranscriptPart,
} from "../../../src/testkit/dialect-contract/index.ts";
import {
  createUnifiedTranslator,
  type UnifiedContent,
  type UnifiedMessage,
} from "../../../src/unified/index.ts";
import { UNIFIED_ASSISTANT_DROPS, UNIFIED_STREAM_DROPS } from "./unified-drops.ts";

// biome-ignore lint/suspicious/noExplicitAny: what a message says besides content differs from type to type
type Metadata = Record<string, any>;
type Body = { type: SessionEvent["type"]; [field: string]: unknown };

export const unifiedStream: TranscriptContract<readonly UnifiedMessage[]> = {
  name: "messages",
  fold: (messages) => foldTranscript(toEvents(messages)),
  drops: UNIFIED_STREAM_DROPS,
  stories: translated,
};

export const unifiedAssistants: TranscriptContract<readonly UnifiedMessage[]> = {
  name: "assistant messages",
  fold: foldAssistants,
  drops: UNIFIED_ASSISTANT_DROPS,
  stories: translated,
};

function* translated(log: readonly SessionEvent[]) {
  const translator = createUnifiedTranslator();
  const messages = log.flatMap((event) => translator.add(event));
  yield { shown: JSON.parse(JSON.stringify(messages)) as UnifiedMessage[], log };
}

/** What happened, as far as messages of a conversation come of it. */
export function toEvents(messages: readonly UnifiedMessage[]): SessionEvent[] {
  const thoughts = new Set<string>();
  return messages.flatMap((message) => {
    const metadata = message.metadata as Metadata;
    const bodies = TELLERS[message.type]?.(message, metadata, thoughts);
    if (!bodies) return [];
    const { message_id, turn_id, parent_tool_use_id: parent, task_id: task } = metadata;
    const place = {
      session: metadata.session_id,
      seq: 1,
      at: message.timestamp,
      turn: turn_id,
      message: message_id,
    };
    return { ...place, parent, task, ...bodies } as unknown as SessionEvent;
  });
}

type Teller = (message: UnifiedMessage, metadata: Metadata, thoughts: Set<string>) => Body | undefined;

const TELLERS: Readonly<Partial<Record<UnifiedMessage["type"], Teller>>> = {
  user_message: (message) => ({ type: "prompt.accepted", parts: promptParts(message) }),
  stream_event: tellStream,
  status_change: tellStatus,
  permission_request: (_, { request_id: ask, tool_use_id: call, expires_at: expiresAt, ...asked }) => {
    const { kind, title, description, options, questions, editable, changes, detail, url } = asked;
    const shown = { kind, title, description, options, questions, editable, changes, detail, url };
    return { type: "ask.opened", ask, call, expiresAt, ...shown };
  },
  tool_progress: (_, { kind, tool_use_id: call, ...told }) => {
    const { tool_name: name, title, tool_kind, locations, path, change, diff, from } = told;
    if (kind === "details") return { type: "tool.updated", call, name, title, kind: tool_kind, locations };
    if (kind === "file_edit") return { type: "file.edited", call, path, kind: change, diff, from };
  },
  tool_use_summary: tellResult,
  result: (
    _,
    { outcome, error, native_error_code: code, usage = {}, cost, duration_ms, waited_ms, delivery, model },
  ) => ({
    type: "turn.ended",
    outcome,
    error: error === undefined ? undefined : { code, message: error },
    usage: tokens(usage),
    cost,
    durationMs: duration_ms,
    waitedMs: waited_ms,
    delivery,
    model,
  }),
};

function tellStream(
  { content }: UnifiedMessage,
  metadata: Metadata,
  thoughts: Set<string>,
): Body | undefined {
  const { kind, event = {} as Metadata, part_id: part, tool_use_id: call } = metadata;
  if (kind === "source") return { type: "source", ...(metadata.source as object) };
  if (kind === "file") {
    const [image] = content;
    const url = image?.type === "image" ? urlOf(image) : undefined;
    return { type: "file", ...(url !== undefined && { url }), ...(metadata.file as object) };
  }
  const { type, content_block: block = {} as Metadata, delta = {} as Metadata } = event as Metadata;
  switch (type as string) {
    case "message_start":
      return {
        type: "message.started",
        model: metadata.model,
        agent: metadata.agent,
        replyTo: metadata.inResponseTo,
      };
    case "content_block_start": {
      if ((block as Metadata).type === "tool_use") {
        const { tool_name: name, title, tool_kind, locations } = metadata;
        return { type: "tool.start", call, name, title, kind: tool_kind, locations };
      }
      const isThought = (block as Metadata).type === "thinking";
      if (isThought) thoughts.add(part);
      return { type: isThought ? "reasoning.start" : "text.start", part, purpose: metadata.purpose };
    }
    case "content_block_delta": {
      const { text, thinking } = delta as Metadata;
      if (text !== undefined) return { type: "text.delta", part, delta: text };
      return thinking === undefined ? undefined : { type: "reasoning.delta", part, delta: thinking };
    }
    case "content_block_stop": {
      const [block] = content;
      if (block?.type === "tool_use")
        return { type: "tool.input", call, input: block.input, by: metadata.by };
      return { type: thoughts.has(part) ? "reasoning.end" : "text.end", part };
    }
  }
}

function tellStatus(message: UnifiedMessage, metadata: Metadata): Body | undefined {
  const [block] = message.content;
  const text = block?.type === "text" ? block.text : "";
  const { kind, request_id: ask } = metadata;
  switch (kind as string) {
    case "queued_message_updated":
      return { type: "prompt.changed", parts: promptParts(message) };
    case "queued_message_cancelled":
      return { type: "prompt.withdrawn" };
    case "queued_message_sent":
      return { type: "prompt.dispatched", steered: metadata.steered, checkpoint: metadata.checkpoint };
    case "message_queued":
      return { type: "prompt.returned", reason: metadata.reason };
    case "system_message":
      return { type: "message.system", text, cause: metadata.cause };
    case "plan":
      return { type: "plan.updated", entries: metadata.entries };
    case "notice":
      return { type: "notice", level: metadata.level, code: metadata.code, text };
    case "compaction":
      return { type: "compaction.started", trigger: metadata.trigger };
    case "compaction_ended":
      return {
        type: "compaction.ended",
        skipped: metadata.skipped,
        error: metadata.error,
        summary: metadata.summary,
      };
    case "message_removed":
      return { type: "conversation.rewound", before: metadata.message_id };
    case "message_part_removed":
      return { type: "content.discarded", parts: metadata.part_ids, calls: metadata.tool_use_ids };
    case "session_compacted": {
      const { summary, tokens_before, tokens_after } = metadata;
      return { type: "compaction.ended", summary, tokensBefore: tokens_before, tokensAfter: tokens_after };
    }
    case "permission_updated":
      return { type: "ask.updated", ask, changes: metadata.changes, detail: metadata.detail };
    case "permission_answered": {
      const { option, effect, answers, message, updatedInput: input, by, expired } = metadata;
      return { type: "ask.answered", ask, option, effect, answers, message, input, by, expired };
    }
    case "permission_closed":
      return { type: "ask.closed", ask, outcome: metadata.outcome, delivered: metadata.delivered };
  }
}

const RESULTS: Readonly<Record<string, SessionEvent["type"]>> = {
  completed: "tool.output",
  failed: "tool.failed",
  denied: "tool.denied",
  abandoned: "tool.abandoned",
};

function tellResult({ content }: UnifiedMessage, metadata: Metadata): Body | undefined {
  const { kind, tool_use_id: call, status, amended, is_error, running } = metadata;
  if (kind === "summary")
    return { type: "tool.summary", calls: metadata.preceding_tool_use_ids, text: metadata.summary };
  if (kind !== "result") return undefined;
  const [block] = content;
  const text = block?.type === "tool_result" ? block.content : "";
  const output = "output" in metadata ? { output: metadata.output } : is_error ? {} : { output: text };
  return {
    type: amended ? "tool.amended" : RESULTS[status]!,
    call,
    ...output,
    ...(is_error && { error: text, reason: text }),
    exitCode: metadata.exit_code,
    metadata: metadata.tool_metadata,
    truncatedFrom: metadata.truncated_from,
    running,
  };
}

function promptParts({ content, metadata }: UnifiedMessage): unknown[] {
  const attachments = (metadata.attachments ?? []) as { block?: number; type: string }[];
  const about = new Map(attachments.map(({ block, ...part }) => [block, part]));
  const blocks = content.map((block, place) => {
    if (block.type === "text") return block;
    if (block.type === "image") return { ...about.get(place), url: urlOf(block) };
    return { ...about.get(place), content: block.type === "code" ? block.code : undefined };
  });
  return [...blocks, ...attachments.filter(({ block }) => block === undefined)];
}

function urlOf({ source }: Extract<UnifiedContent, { type: "image" }>): string {
  return `data:${source.media_type};base64,${source.data}`;
}

function tokens(usage: Metadata): object {
  return {
    input: usage.input_tokens,
    output: usage.output_tokens,
    reasoning: usage.reasoning_tokens,
    cacheRead: usage.cache_read_input_tokens,
    cacheWrite: usage.cache_creation_input_tokens,
  };
}

/** One for each `assistant` message that is not a sub-agent's. */
export function foldAssistants(messages: readonly UnifiedMessage[]): Transcript {
  let transcript: TranscriptMessage[] = [];
  /** Ids of the conversation in their order, so that one can be removed with what followed. */
  const order: string[] = [];
  for (const { type, content, metadata } of messages) {
    const id = metadata.message_id as string;
    const isSent = type === "status_change" && metadata.kind === "queued_message_sent";
    const isBegun =
      type === "stream_event" && (metadata.event as Metadata | undefined)?.type === "message_start";
    const isSystem = type === "status_change" && metadata.kind === "system_message";
    if (isSent || isBegun || isSystem) order.push(id);
    if (type === "status_change" && metadata.kind === "message_removed") {
      const gone = new Set(order.splice(Math.max(order.indexOf(id), 0)));
      transcript = transcript.filter((message) => !gone.has(message.id!));
    }
    if (type !== "assistant" || metadata.parent_tool_use_id !== undefined) continue;
    const { inResponseTo: replyTo, model } = metadata as { inResponseTo: string; model?: string };
    transcript.push({ id, role: "assistant", replyTo, model, content: foldBlocks(content) });
  }
  return transcript;
}

function foldBlocks(blocks: readonly UnifiedContent[]): TranscriptPart[] {
  const results = new Map(
    blocks.flatMap((block) => (block.type === "tool_result" ? [[block.tool_use_id, block] as const] : [])),
  );
  return blocks.flatMap((block): TranscriptPart[] => {
    switch (block.type) {
      case "text":
        return [{ type: "text", text: block.text }];
      case "thinking":
        return [{ type: "reasoning", text: block.thinking }];
      case "image":
        return [{ type: "file", url: urlOf(block), mediaType: block.source.media_type }];
      case "tool_use": {
        const { id: call, name, input } = block;
        const found = results.get(call);
        const done = (text: string): CallPart["result"] => ({ state: "done", output: text });
        const result =
          found &&
          (found.is_error ? ({ state: "failed", error: found.content } as const) : done(found.content));
        return [{ type: "call", call, name, input, ...(result && { result }) }];
      }
      default:
        return [];
    }
  });
}
