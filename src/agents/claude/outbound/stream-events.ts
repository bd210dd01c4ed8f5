/** The model's message as it is written. Only the agent's own arrives like this; those of sub-agents come whole. */
import type { Draft } from "../../../core/draft.ts";
import type { Block, ClaudeState, StreamedMessage, TextBlock } from "../conversation-state.ts";
import type { StreamEventLine, WireBlock, WireDelta, WireStreamEvent } from "../wire.ts";
import { afterTurnBegan, takeUp } from "./prompts.ts";
import { isToolUse, toolKind } from "./tool-display.ts";
import { addUsage, mergeUsage } from "./usage.ts";

/** How much of a text is compared with the whole one; of the rest only the length is. */
const MAX_COMPARED = 1024 * 1024;

type Translation = readonly [ClaudeState, readonly Draft[]];
type EventOf<Type extends WireStreamEvent["type"]> = Extract<WireStreamEvent, { type: Type }>;

const NOTHING: readonly Draft[] = [];

/** No message of a model has as many. What is beyond comes again with the whole message. */
const MAX_BLOCKS = 1000;

/** Undefined when there is no such event. */
export function readStreamEvent(state: ClaudeState, line: StreamEventLine): Translation | undefined {
  const { event } = line;
  if (event.type === "message_start") return startMessage(state, event, line.uuid);
  const { stream } = state;
  // Without its beginning a message has no name; all of it comes again as a whole.
  if (!stream) return [state, NOTHING];
  switch (event.type) {
    case "content_block_delta":
      return addDelta(state, stream, event);
    case "content_block_start":
      return startBlock(state, stream, event);
    case "content_block_stop":
      return [state, endBlock(stream, event.index)];
    case "message_delta":
      return countMessage(state, stream, event);
    case "message_stop":
      return endMessage(state, stream, line.abandoned_blocks?.from_block_index);
    default:
      return undefined;
  }
}

/**
 * The stream broke off. What was said is taken back when it is about to be said again. Whether an attempt that failed
 * was used up depends on the version: the totals at the end of the turn tell. They never have what a person stopped.
 */
export function breakStream(state: ClaudeState, why: "retry" | "failure" | "stop"): Translation {
  const { stream } = state;
  if (!stream) return [state, NOTHING];
  const [counted, usage] =
    why === "stop" && !stream.isCounted ? addUsage(state, stream.usage, stream.model) : [state, NOTHING];
  const discarded = why === "retry" && !stream.isCounted ? discard(stream, 0) : NOTHING;
  return [{ ...counted, stream: undefined, stopReason: undefined }, [...usage, ...discarded]];
}

export function partOf(message: string, index: number): string {
  return `${message}:${index}`;
}

function startMessage(
  state: ClaudeState,
  { message }: EventOf<"message_start">,
  uuid = "nameless",
): Translation {
  const [unbroken, broken] = breakStream(state, "retry");
  const [taken, takenDrafts] = takeUp(afterTurnBegan(unbroken));
  const { id = uuid, model, usage = {} } = message;
  return [
    {
      ...taken,
      isTurnOpen: true,
      stopReason: undefined,
      stream: { id, model, usage, isCounted: false, blocks: [] },
    },
    [...broken, ...takenDrafts, { type: "step.started" }],
  ];
}

function startBlock(
  state: ClaudeState,
  stream: StreamedMessage,
  { index, content_block: block }: EventOf<"content_block_start">,
): Translation {
  const part = partOf(stream.id, index);
  if (isToolUse(block)) {
    const { id: call, name } = block;
    const next = withBlock(state, stream, index, { kind: "call", call });
    const kind = toolKind(name);
    return [next, [{ type: "tool.start", call, name, kind }]];
  }
  const kind = partKind(block);
  if (kind === undefined) return [withBlock(state, stream, index, { kind: "other" }), NOTHING];
  const text = textOf(block);
  const next = withBlock(state, stream, index, extended({ kind, text: "", length: 0, isWhole: false }, text));
  const start: Draft = { type: `${kind}.start`, part };
  return [next, text === "" ? [start] : [start, { type: `${kind}.delta`, part, delta: text }]];
}

function addDelta(
  state: ClaudeState,
  stream: StreamedMessage,
  { index, delta }: EventOf<"content_block_delta">,
): Translation {
  const block = stream.blocks[index];
  if (block?.kind === "call") {
    return delta.type === "input_json_delta"
      ? [state, [{ type: "tool.input.delta", call: block.call, delta: delta.partial_json }]]
      : [state, NOTHING];
  }
  if (block === undefined || block.kind === "other") return [state, NOTHING];
  const text = deltaText(delta);
  if (text === undefined) return [state, NOTHING];
  return [
    withBlock(state, stream, index, extended(block, text)),
    [{ type: `${block.kind}.delta`, part: partOf(stream.id, index), delta: text }],
  ];
}

function extended(block: TextBlock, text: string): TextBlock {
  const known = block.text.length < MAX_COMPARED ? (block.text + text).slice(0, MAX_COMPARED) : block.text;
  return { ...block, text: known, length: block.length + text.length };
}

function endBlock(stream: StreamedMessage, index: number): readonly Draft[] {
  const block = stream.blocks[index];
  if (block?.kind !== "text" && block?.kind !== "reasoning") return NOTHING;
  return [{ type: `${block.kind}.end`, part: partOf(stream.id, index) }];
}

function countMessage(
  state: ClaudeState,
  stream: StreamedMessage,
  { delta, usage }: EventOf<"message_delta">,
): Translation {
  const merged = mergeUsage(stream.usage, usage);
  const [counted, drafts] = addUsage(state, merged, stream.model);
  return [
    {
      ...counted,
      stopReason: delta.stop_reason ?? undefined,
      stream: { ...stream, usage: merged, isCounted: true },
    },
    drafts,
  ];
}

function endMessage(
  state: ClaudeState,
  stream: StreamedMessage,
  abandonedFrom: number | undefined,
): Translation {
  const { stopReason: reason } = state;
  return [
    { ...state, stream: undefined },
    [
      ...(abandonedFrom === undefined ? NOTHING : discard(stream, abandonedFrom)),
      { type: "step.ended", reason },
    ],
  ];
}

function discard({ id, blocks }: StreamedMessage, from: number): readonly Draft[] {
  const parts: string[] = [];
  const calls: string[] = [];
  for (const [index, block] of blocks.entries()) {
    if (index < from || block === undefined) continue;
    if (block.kind === "call") calls.push(block.call);
    else if (block.kind !== "other") parts.push(partOf(id, index));
  }
  if (parts.length + calls.length === 0) return NOTHING;
  return [{ type: "content.discarded", parts, calls, reason: "retry" }];
}

function withBlock(state: ClaudeState, stream: StreamedMessage, index: number, block: Block): ClaudeState {
  if (!(index < MAX_BLOCKS)) return state;
  const blocks = stream.blocks.slice();
  blocks[index] = block;
  return { ...state, stream: { ...stream, blocks } };
}

function partKind({ type }: WireBlock): "text" | "reasoning" | undefined {
  if (type === "text") return "text";
  return type === "thinking" ? "reasoning" : undefined;
}

function textOf(block: WireBlock): string {
  if ("text" in block) return block.text;
  return "thinking" in block ? block.thinking : "";
}

/** Undefined for what is no text: signatures of thoughts, citations. */
function deltaText(delta: WireDelta): string | undefined {
  if (delta.type === "text_delta") return delta.text;
  return delta.type === "thinking_delta" ? delta.thinking : undefined;
}
