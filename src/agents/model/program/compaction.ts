/** Summarises the older part of a conversation with the model itself, so that the rest goes on fitting into it. */
import { generateText, type ModelMessage } from "ai";
import type { WireEvent } from "../wire.ts";
import type { Conversation } from "./conversation.ts";
import type { ChosenModel } from "./create-model.ts";
import { explainFailure } from "./explain-failure.ts";
import { spent } from "./request-model.ts";
import { TurnFailure } from "./turn-failure.ts";

/** The share of a model's window that a conversation may fill. */
const FULL_SHARE = 0.7;
const DEFAULT_KEPT = 6;
/** The share of the limit by which a conversation has to grow before a summary that did not help is tried again. */
const WORTHWHILE_SHARE = 0.1;
/** Of what is summarised, so that it surely fits. */
const CHARACTERS_PER_WINDOW_TOKEN = 2;
/** How often it is made shorter when it does not fit, even so. */
const MAX_SHORTENINGS = 4;
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

export class Compactor {
  /** What the conversation had after a summary that did not bring it below the limit. */
  #stuckAt: number | undefined;
  #isJustTried = false;

  /** The check before a request. One that decides to skip is told if `tellsSkip`. */
  async check(options: CompactionOptions, { tellsSkip }: { tellsSkip: boolean }): Promise<void> {
    const { conversation, model, emit } = options;
    const limit = options.compactAt ?? Math.floor(model.assumedWindow * FULL_SHARE);
    const { tokens } = conversation;
    const kept = options.keepMessages ?? DEFAULT_KEPT;
    const reason =
      this.#reasonToWait(tokens, limit) ??
      (conversation.toSummarise(kept).length === 0
        ? `The summary was skipped: there is nothing before the last ${kept} messages, which stay as they are.`
        : undefined);
    if (reason === undefined) {
      await emit({ event: "compacting", trigger: "limit" });
      await this.#compact(options, kept);
    } else if (tellsSkip) await emit({ event: "compaction_skipped", reason, tokens, limit });
  }

  /** A person asks for it. */
  async compactNow(options: CompactionOptions): Promise<void> {
    const { conversation, emit } = options;
    await emit({ event: "compacting", trigger: "manual" });
    const wanted = options.keepMessages ?? DEFAULT_KEPT;
    const kept = conversation.toSummarise(wanted).length > 0 ? wanted : 0;
    if (conversation.toSummarise(kept).length > 0) return void (await this.#compact(options, kept));
    const reason = "The summary was skipped: nothing was said since the last one.";
    await emit({ event: "compaction_skipped", reason, tokens: conversation.tokens });
  }

  /** The model has no room for what is new: all before it is summarised. False if that did not help. */
  async makeRoom(options: CompactionOptions): Promise<boolean> {
    const { conversation, emit } = options;
    const kept = conversation.newEntries;
    if (conversation.toSummarise(kept).length === 0) return false;
    await emit({ event: "compacting", trigger: "limit" });
    return this.#compact(options, kept);
  }

  /** A summary that did not help is not made again at every step. */
  #reasonToWait(tokens: number, limit: number): string | undefined {
    const isJustTried = this.#isJustTried;
    this.#isJustTried = false;
    if (tokens <= limit) {
      this.#stuckAt = undefined;
      return `The summary was skipped: the conversation has ${tokens} tokens, and ${limit} are allowed.`;
    }
    if (isJustTried) this.#stuckAt = tokens;
    return this.#stuckAt !== undefined && tokens < this.#stuckAt + limit * WORTHWHILE_SHARE
      ? "The summary was skipped: what may be summarised is too little to help."
      : undefined;
  }

  /** A failure is told, and the conversation stays whole. */
  async #compact(options: CompactionOptions, kept: number): Promise<boolean> {
    const { conversation, model, emit, signal } = options;
    this.#isJustTried = true;
    const tokensBefore = conversation.tokens;
    try {
      const summary = await summarise(options, conversation.toSummarise(kept));
      signal.throwIfAborted();
      conversation.summarise(summary, kept);
      await emit({ event: "compacted", summary, tokensBefore, tokensAfter: conversation.tokens });
      return true;
    } catch (error) {
      const reason = signal.aborted ? "It was interrupted." : explainFailure(error, model).failure.message;
      await emit({ event: "compaction_failed", reason });
      signal.throwIfAborted();
      return false;
    }
  }
}

/** Throws `TurnFailure` when the model says nothing. */
async function summarise(options: CompactionOptions, older: readonly ModelMessage[]): Promise<string> {
  const { model, conversation } = options;
  const earlier = conversation.summary === undefined ? [] : [`Earlier summary:\n${conversation.summary}`];
  const entries = [...earlier, ...older.map(entryOf)];
  let length = model.assumedWindow * CHARACTERS_PER_WINDOW_TOKEN;
  for (let shortened = 0; ; shortened += 1) {
    try {
      return await requestSummary(options, fitting(entries, length));
    } catch (error) {
      // The window may be smaller than we think.
      const { code } = explainFailure(error, model).failure;
      if (code !== "context_full" || shortened === MAX_SHORTENINGS) throw error;
      length = Math.min(length, entries.join("\n\n").length) / 3;
    }
  }
}

async function requestSummary(
  { model, signal, emit, request }: CompactionOptions,
  transcript: string,
): Promise<string> {
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
  const text = result.text.trim();
  if (text === "") throw new TurnFailure("model_error", "The model gave an empty summary.");
  return text;
}

/** The newest entries that fit, in characters. */
function fitting(entries: readonly string[], length: number): string {
  const taken: string[] = [];
  let left = length;
  for (const entry of entries.toReversed()) {
    if (entry.length > left && taken.length > 0) break;
    taken.push(entry.slice(0, left));
    left -= entry.length;
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
