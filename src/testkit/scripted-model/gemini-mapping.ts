/** Parts, usage and errors in the words of the Gemini API. */
import type { TokenUsage } from "../../core/usage.ts";
import type { JsonObject, ReplyOptions } from "./model-api.ts";
import type { ContentBeat, ScriptedError, StopReason } from "./script.ts";

const FINISH_REASONS: Readonly<Record<StopReason, string>> = {
  end: "STOP",
  "tool-calls": "STOP",
  "max-tokens": "MAX_TOKENS",
  refusal: "SAFETY",
};

const STATUSES: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  429: "RESOURCE_EXHAUSTED",
};

/** Undefined for what this API does not show. */
export function toPart(beat: ContentBeat, newId: ReplyOptions["newId"]): JsonObject | undefined {
  switch (beat.beat) {
    case "text":
      return { text: beat.pieces.join("") };
    case "thinking":
      return { text: beat.pieces.join(""), thought: true };
    case "redacted-thinking":
      return undefined;
    case "tool-call": {
      const args = JSON.parse(beat.pieces.join(""));
      return { functionCall: { id: beat.id ?? newId("call"), name: beat.name, args } };
    }
  }
}

export function toCandidate(parts: readonly JsonObject[], reason?: StopReason): JsonObject {
  const finishReason = reason && FINISH_REASONS[reason];
  return { index: 0, content: { role: "model", parts }, ...(finishReason && { finishReason }) };
}

export function toUsageMetadata({ input = 0, output = 0, reasoning = 0 }: TokenUsage): JsonObject {
  return {
    promptTokenCount: input,
    candidatesTokenCount: output - reasoning,
    thoughtsTokenCount: reasoning,
    totalTokenCount: input + output,
  };
}

export function toGeminiError({ status, type, message }: ScriptedError): JsonObject {
  return { error: { code: status, message, status: type ?? STATUSES[status] ?? "INTERNAL" } };
}
