/** Stop reasons, usage and errors in the words of the Anthropic Messages API. */
import type { TokenUsage } from "../../core/usage.ts";
import type { JsonObject } from "./model-api.ts";
import type { ScriptedError, StopReason } from "./script.ts";

const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  529: "overloaded_error",
};

const STOP_REASONS: Readonly<Record<StopReason, string>> = {
  end: "end_turn",
  "tool-calls": "tool_use",
  "max-tokens": "max_tokens",
  refusal: "refusal",
};

export function toError({ status, type, message }: ScriptedError): JsonObject {
  return { type: "error", error: { type: type ?? ERROR_TYPES[status] ?? "api_error", message } };
}

export function toStop(reason: StopReason): JsonObject {
  return { stop_reason: STOP_REASONS[reason], stop_sequence: null };
}

/** This API counts the cache beside the input; in our totals it is part of it. */
export function toUsage({ input = 0, output = 0, cacheRead = 0, cacheWrite = 0 }: TokenUsage): JsonObject {
  return {
    input_tokens: input - cacheRead - cacheWrite,
    cache_creation_input_tokens: cacheWrite,
    cache_read_input_tokens: cacheRead,
    output_tokens: output,
  };
}
