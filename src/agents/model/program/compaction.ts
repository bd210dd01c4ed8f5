/** Summarises the older part of a conversation with the model itself, so that the rest goes on fitting into it. */
import { generateText, type ModelMessage } from "ai";
import type { WireEvent } from "../wire.ts";
import type { Conversation } from "./conversation.ts";
import type { ChosenModel } from "./create-model.ts";
import { explainFailure } from "./explain-failure.ts";
import { spent } from "./request-model.ts";

/** The share of a model's window that a conversation may fill. */
const FULL_SHARE = 0.7;
const DEFAULT_KEPT = 6;
/** Of one text, call or result in what is summarised. */
const MAX_PART_LENGTH = 4000;

const TASK = `Summarise this conversation between a user and a coding agent so that the agent can go on from your \
summary alone. Keep: what the user wants, decisions and reasons, files that were read or changed and what matters in \
them, commands and their outcomes, open problems, and the next step. Leave out pleasantries. Write plain text.`;

export interface CompactionOptions {
  readonly conversation: Conversation;
  readonly model: ChosenModel;
  readonly compactAt?: number;
  readonly keepMessages?: number;
  readonly signal: AbortSignal;
  /** The number of the request to the model. */
  readonly request: () => number;
  emit(event: WireEvent): Promise<void>;
}

export type Trigger = "limit" | "manual";

/** Does nothing below the limit, unless a person asks for it. A failure is told and the conversation stays whole. */
export async function compactIfNeeded(options: CompactionOptions, trigger: Trigger): Promise<void> {
  const { conversation, model, emit, signal } = options;
  const limit = options.compactAt ?? Math.floor(model.assumedWindow * FULL_SHARE);
  const tokens = conversation.tokens;
  if (trigger === "limit" && tokens <= limit) return;
  await emit({ event: "compacting", trigger });
  const kept = options.keepMessages ?? DEFAULT_KEPT;
  const older = conversation.toSummarise(kept);
  if (older.length === 0) {
    const reason = `The summary was skipped: there is nothing before the last ${kept} messages, which stay as they are.`;
    return emit({ event: "compaction_skipped", reason, tokens, limit });
  }
  try {
    const text = await summarise(options, older);
    signal.throwIfAborted();
    conversation.summarise(text, kept);
    const tokensAfter = conversation.tokens;
    await emit({ event: "compacted", summary: text, tokensBefore: tokens, tokensAfter });
  } catch (error) {
    const reason = signal.aborted ? "It was interrupted." : explainFailure(error, model).failure.message;
    await emit({ event: "compaction_failed", reason });
    signal.throwIfAborted();
  }
}

async function summarise(
  { model, conversation, signal, emit, request }: CompactionOptions,
  older: readonly ModelMessage[],
): Promise<string> {
  const earlier = conversation.summary === undefined ? [] : [`Earlier summary:\n${conversation.summary}`];
  const transcript = fitting([...earlier, ...older.map(entryOf)], model.assumedWindow * 2);
  const result = await generateText({
    model: model.instance,
    instructions: TASK,
    messages: [{ role: "user", content: `${transcript}\n\n${TASK}` }],
    maxRetries: 2,
    abortSignal: signal,
    providerOptions: { openai: { store: false } },
  });
  const part = { type: "finish-step" as const, finishReason: result.finishReason, usage: result.usage };
  const { model: name, dollars } = spent(model, part);
  await emit({ event: "part", request: request(), part, model: name, dollars, isAside: true });
  return result.text.trim();
}

/** The newest entries that fit, in characters. */
function fitting(entries: readonly string[], length: number): string {
  const taken: string[] = [];
  let left = length;
  for (const entry of entries.toReversed()) {
    left -= entry.length;
    if (left < 0 && taken.length > 0) break;
    taken.push(entry);
  }
  return taken.reverse().join("\n\n");
}

function entryOf({ role, content }: ModelMessage): string {
  const speaker = role === "user" ? "User" : role === "assistant" ? "Agent" : "Tools";
  if (typeof content === "string") return `${speaker}: ${shorten(content)}`;
  const lines = content.map((part) => {
    switch (part.type) {
      case "text":
        return shorten(part.text);
      case "tool-call":
        return `(calls ${part.toolName} ${shorten(JSON.stringify(part.input) ?? "")})`;
      case "tool-result":
        return `(${part.toolName} gave ${shorten(JSON.stringify(part.output))})`;
      case "file":
      case "image":
        return "(a file)";
      default:
        return "";
    }
  });
  return `${speaker}: ${lines.filter((line) => line !== "").join("\n")}`;
}

function shorten(text: string): string {
  return text.length <= MAX_PART_LENGTH ? text : `${text.slice(0, MAX_PART_LENGTH)} […]`;
}
