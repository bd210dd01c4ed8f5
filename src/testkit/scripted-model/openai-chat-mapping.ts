/** Usage and stop reasons in the words of the OpenAI Chat Completions API. */
import type { TokenUsage } from "../../core/usage.ts";
import type { JsonObject } from "./model-api.ts";
import type { StopReason } from "./script.ts";

const FINISH_REASONS: Readonly<Record<StopReason, string>> = {
  end: "stop",
  "tool-calls": "tool_calls",
  "max-tokens": "length",
  refusal: "content_filter",
};

export function toFinishReason(reason: StopReason): string {
  return FINISH_REASONS[reason];
}

export function toChatUsage({ input = 0, output = 0, cacheRead = 0, reasoning = 0 }: TokenUsage): JsonObject {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cacheRead },
    completion_tokens_details: { reasoning_tokens: reasoning },
  };
}
