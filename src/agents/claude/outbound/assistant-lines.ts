/** Whole blocks of a message: the authority on a call's input, and all there is where nothing was streamed. */
import type { Draft } from "../../../core/draft.ts";
import { withEntry } from "../../transport/map-entry.ts";
import type { ClaudeState, StreamedMessage } from "../conversation-state.ts";
import type { AssistantLine, WireBlock, WireToolResult, WireToolUse } from "../wire.ts";
import { announceCall } from "./calls.ts";
import { afterTurnBegan, takeUp } from "./prompts.ts";
import { breakStream, partOf } from "./stream-events.ts";
import { isToolUse } from "./tool-display.ts";
import { resultText } from "./tool-output.ts";
import { addUsage, contextAfter } from "./usage.ts";

type Translation = readonly [ClaudeState, readonly Draft[]];

/** The model named in what Claude Code says itself: the output of its commands, and errors. */
const SYNTHETIC = "<synthetic>";

/** What it says itself only so that its conversation has an answer. */
const FILLERS: readonly string[] = ["(no content)", "No response requested."];

interface NamedLine extends AssistantLine {
  message: AssistantLine["message"] & { id: string };
}

export function readAssistant(given: ClaudeState, line: AssistantLine): Translation {
  const { model } = line.message;
  if (model === SYNTHETIC && line.error !== undefined) return readFailure(given, line.error, line.message);
  const parent = line.parent_tool_use_id ?? undefined;
  const [state, id] = nameOf(given, line, parent);
  return readNamed(state, { ...line, message: { ...line.message, id } }, parent);
}

/** A message without an id belongs to the one that is streamed. Else each line is a message. */
function nameOf(
  state: ClaudeState,
  { message, uuid }: AssistantLine,
  parent: string | undefined,
): readonly [ClaudeState, string] {
  const known = message.id ?? (parent === undefined ? state.stream?.id : undefined) ?? uuid;
  if (known !== undefined) return [state, known];
  const { namelessCount } = state;
  return [{ ...state, namelessCount: namelessCount + 1 }, `nameless-${namelessCount}`];
}

function readNamed(state: ClaudeState, line: NamedLine, parent: string | undefined): Translation {
  const { message } = line;
  const { stream } = state;
  const isStreamed = parent === undefined && stream?.id === message.id;
  const begun = isStreamed ? ([state, []] as const) : beginWhole(state, line, parent);
  let [next] = begun;
  const drafts: Draft[] = [...begun[1]];
  for (const block of blocksOf(message)) {
    if (message.model === SYNTHETIC && "text" in block && FILLERS.includes(block.text)) continue;
    const [after, more] = readBlock(next, line, block, parent);
    next = after;
    drafts.push(...more);
  }
  if (isStreamed || parent !== undefined) return [next, drafts];
  // Only the last line of a message that came whole has its final count.
  if (message.stop_reason && message.usage && message.model !== SYNTHETIC) {
    const [counted, usage] = addUsage(next, message.usage, message.model);
    return [{ ...counted, stopReason: message.stop_reason }, [...drafts, ...usage]];
  }
  return [{ ...next, contextUsed: contextAfter(message.usage) ?? next.contextUsed }, drafts];
}

function blocksOf({ content }: AssistantLine["message"]): readonly WireBlock[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}

/** A failure is told by the end of the turn; the same text as an answer would be noise. */
function readFailure(state: ClaudeState, code: string, { content }: AssistantLine["message"]): Translation {
  const text = resultText(content);
  const [next, drafts] = state.stream?.isCounted ? [state, []] : breakStream(state, "failure");
  return [{ ...next, failure: { code, text } }, drafts];
}

/** A message that was not streamed: a step of its own, and the end of a stream that broke. */
function beginWhole(state: ClaudeState, { message }: NamedLine, parent: string | undefined): Translation {
  const key = parent ?? "";
  if (state.wholeMessages.get(key)?.id === message.id) return [state, []];
  const next = {
    ...state,
    wholeMessages: withEntry(state.wholeMessages, key, { id: message.id, blocks: 0 }),
  };
  if (parent !== undefined) return [next, []];
  if (message.model === SYNTHETIC) return takeUp({ ...afterTurnBegan(next), isTurnOpen: true });
  const [unbroken, broken] = breakStream(next, "retry");
  const [taken, takenDrafts] = takeUp({ ...afterTurnBegan(unbroken), isTurnOpen: true });
  return [{ ...taken, stopReason: undefined }, [...broken, ...takenDrafts, { type: "step.started" }]];
}

function readBlock(
  state: ClaudeState,
  line: NamedLine,
  block: WireBlock,
  parent: string | undefined,
): Translation {
  if (isToolUse(block)) return readCall(state, line, block, parent);
  if (block.type.endsWith("_tool_result")) {
    const { tool_use_id: call, content } = block as WireToolResult;
    return [state, [{ type: "tool.output", call, output: resultText(content), ...under(parent) }]];
  }
  if ("text" in block) return readText(state, line, "text", block.text, parent);
  if ("thinking" in block) return readText(state, line, "reasoning", block.thinking, parent);
  if (block.type === "redacted_thinking") return [state, []];
  return [state, [{ type: "agent.unknown", native: `assistant/${block.type}` }]];
}

function readCall(
  state: ClaudeState,
  line: NamedLine,
  { id: call, name, input }: WireToolUse,
  parent: string | undefined,
): Translation {
  return announceCall(state, { call, name, input, title: mcpTitle(line, call), parent });
}

function mcpTitle({ tool_use_meta: meta }: AssistantLine, call: string): string | undefined {
  const found = meta?.find(({ id }) => id === call);
  if (found?.display_name === undefined) return undefined;
  const { display_name: name, server_display_name: server } = found;
  return server === undefined ? name : `${server}: ${name}`;
}

function readText(
  state: ClaudeState,
  { message }: NamedLine,
  kind: "text" | "reasoning",
  text: string,
  parent: string | undefined,
): Translation {
  const spoken = kind === "text" && parent === undefined ? { ...state, hasSpoken: true } : state;
  const { stream } = state;
  if (parent === undefined && stream?.id === message.id) {
    const completed = completeStreamed(spoken, stream, kind, text);
    if (completed) return completed;
  }
  const key = parent ?? "";
  const index =
    stream?.id === message.id ? stream.blocks.length : (state.wholeMessages.get(key)?.blocks ?? 0);
  const part = partOf(message.id, index);
  return [
    { ...spoken, wholeMessages: withEntry(state.wholeMessages, key, { id: message.id, blocks: index + 1 }) },
    text === ""
      ? []
      : [
          { type: `${kind}.start`, part, ...under(parent) },
          { type: `${kind}.delta`, part, delta: text, ...under(parent) },
          { type: `${kind}.end`, part, ...under(parent) },
        ],
  ];
}

/** Says what the deltas missed of a block. Undefined when no such block was begun. */
function completeStreamed(
  state: ClaudeState,
  stream: StreamedMessage,
  kind: "text" | "reasoning",
  text: string,
): Translation | undefined {
  const index = stream.blocks.findIndex((block) => block?.kind === kind && !block.isWhole);
  const block = stream.blocks[index];
  if (block?.kind !== kind) return undefined;
  const blocks = stream.blocks.with(index, { kind, text: "", length: text.length, isWhole: true });
  const next = { ...state, stream: { ...stream, blocks } };
  const part = partOf(stream.id, index);
  if (text.length >= block.length && text.startsWith(block.text)) {
    const missed = text.slice(block.length);
    return [next, missed === "" ? [] : [{ type: `${kind}.delta`, part, delta: missed }]];
  }
  return [
    next,
    [
      { type: "content.discarded", parts: [part], calls: [], reason: "corrected" },
      { type: `${kind}.start`, part },
      { type: `${kind}.delta`, part, delta: text },
    ],
  ];
}

function under(parent: string | undefined): { parent?: string } {
  return parent === undefined ? {} : { parent };
}
