/** What a scripted model says, in words that belong to no API: beats, replies made of beats, scripts made of replies. */
import type { TokenUsage } from "../../core/usage.ts";
import type { ModelRequest } from "./model-api.ts";

/** Why the model stopped. Without a `stop` it follows from the reply: `tool-calls` where there is a call, else `end`. */
export type StopReason = "end" | "tool-calls" | "max-tokens" | "refusal";

/** An error as the API of the request puts it. Without a `type` the API's own for the status is taken. */
export interface ScriptedError {
  readonly status: number;
  readonly type?: string;
  readonly message: string;
}

/** What the client gets to see as the model's words. Neighbours of one kind are one block. */
export type ContentBeat =
  | { readonly beat: "text"; readonly pieces: readonly string[] }
  | { readonly beat: "thinking"; readonly pieces: readonly string[]; readonly signature: string }
  | { readonly beat: "redacted-thinking"; readonly data: string }
  | {
      readonly beat: "tool-call";
      readonly name: string;
      /** The JSON of its input, or what stands in its place. */
      readonly pieces: readonly string[];
      readonly id?: string;
    };

/** What goes wrong. With `times` only so often, counted for each place in a script; after that it is passed over. */
export type FaultBeat =
  | {
      readonly beat: "http-error";
      readonly error: ScriptedError;
      readonly headers: Readonly<Record<string, string>>;
      readonly times?: number;
    }
  | { readonly beat: "stream-error"; readonly error: ScriptedError; readonly times?: number }
  | { readonly beat: "disconnect"; readonly times?: number };

export type Beat =
  | ContentBeat
  | FaultBeat
  | { readonly beat: "hang"; readonly gate: string }
  | { readonly beat: "slow"; readonly gapMs: number }
  | { readonly beat: "usage"; readonly usage: TokenUsage }
  | { readonly beat: "stop"; readonly reason: StopReason };

/** The answer to one request. */
export type Reply = readonly Beat[];

/** What a script that is a function gets to know. */
export interface ScriptContext {
  readonly request: ModelRequest;
  /** What stands behind the colon in `[[tag:argument]]`. */
  readonly argument: string | undefined;
  /** How many answers the model has given since the tag. */
  readonly step: number;
  /** How often this step of this script was asked for, this time included. */
  readonly attempt: number;
}

/** One reply for every request, one for each step (the last one stays), or a function that makes it. */
export type Script = Reply | readonly Reply[] | ((context: ScriptContext) => Reply);

/** @example text("Hel", "lo") // one block that arrives in two pieces */
export function text(...pieces: string[]): Beat {
  return { beat: "text", pieces };
}

/** @example thinking("Let me ", "see.") */
export function thinking(...pieces: string[]): Beat {
  return { beat: "thinking", pieces, signature: "c2lnbmF0dXJl" };
}

/** Thinking that only the provider can read. @example redactedThinking("b3BhcXVl") */
export function redactedThinking(data: string): Beat {
  return { beat: "redacted-thinking", data };
}

/** @example toolCall("Write", { file_path: "a.txt", content: "A" }) */
export function toolCall(name: string, input: unknown, options: { id?: string } = {}): Beat {
  return { beat: "tool-call", name, pieces: inPieces(JSON.stringify(input), 24), ...options };
}

/** A call whose input is this text, JSON or not. @example unparsableToolCall("Bash", '{"command": "ls') */
export function unparsableToolCall(name: string, input: string, options: { id?: string } = {}): Beat {
  return { beat: "tool-call", name, pieces: inPieces(input, 24), ...options };
}

/** A call of a tool that takes plain text. @example freeformToolCall("apply_patch", "*** Begin Patch\n…") */
export function freeformToolCall(name: string, input: string, options: { id?: string } = {}): Beat {
  return { beat: "tool-call", name, pieces: inPieces(input, 24), ...options };
}

/** Totals as in our own events: what was read from the cache is part of `input`. @example usage({ input: 90, output: 4 }) */
export function usage(numbers: TokenUsage): Beat {
  return { beat: "usage", usage: numbers };
}

/** @example [text("I would rather not."), stop("refusal")] */
export function stop(reason: StopReason): Beat {
  return { beat: "stop", reason };
}

/**
 * An answer that is only an error. Put it first.
 *
 * @example [httpError(429, { retryAfter: 1, times: 2 }), text("Third time lucky.")]
 */
export function httpError(
  status: number,
  options: { type?: string; message?: string; retryAfter?: number; times?: number } = {},
): Beat {
  const { type, message = "scripted error", retryAfter, times } = options;
  const headers: Record<string, string> = {};
  if (retryAfter !== undefined) headers["retry-after"] = String(retryAfter);
  return { beat: "http-error", error: { status, type, message }, headers, times };
}

/**
 * An error in the middle of a stream. Who asked without streaming gets it as an HTTP error.
 *
 * @example [text("Half"), streamError({ times: 1 }), text(" and whole")]
 */
export function streamError(
  options: { status?: number; type?: string; message?: string; times?: number } = {},
): Beat {
  const { status = 529, type, message = "scripted overload", times } = options;
  return { beat: "stream-error", error: { status, type, message }, times };
}

/** The connection is lost, after all that was said before has arrived. @example [text("Half"), disconnect()] */
export function disconnect(options: { times?: number } = {}): Beat {
  return { beat: "disconnect", ...options };
}

/** Silence until the gate is opened with `model.release(gate)` or the client leaves. @example [text("Hm"), hang()] */
export function hang(gate = "hang"): Beat {
  return { beat: "hang", gate };
}

/** From here on there is a gap before each piece. @example [slow(50), text("one ", "by ", "one")] */
export function slow(gapMs: number): Beat {
  return { beat: "slow", gapMs };
}

/** @example text(...inPieces(poem, 12)) */
export function inPieces(whole: string, length: number): string[] {
  const pieces: string[] = [];
  for (let start = 0; start < whole.length; start += length) pieces.push(whole.slice(start, start + length));
  return pieces;
}

export function isContent(beat: Beat): beat is ContentBeat {
  return (
    beat.beat === "text" ||
    beat.beat === "thinking" ||
    beat.beat === "redacted-thinking" ||
    beat.beat === "tool-call"
  );
}
