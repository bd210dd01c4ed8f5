/** Items, usage and errors in the words of the OpenAI Responses API. */
import type { TokenUsage } from "../../core/usage.ts";
import type { JsonObject, ReplyEnding, ReplyOptions } from "./model-api.ts";
import type { ContentBeat, ScriptedError } from "./script.ts";

const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  403: "permission_error",
  429: "rate_limit_exceeded",
};

export function toError({ status, type, message }: ScriptedError): JsonObject {
  const name = type ?? ERROR_TYPES[status] ?? "server_error";
  return { error: { type: name, code: name, message } };
}

export function toResponse(
  { model, newId }: Pick<ReplyOptions, "model" | "newId">,
  status: "in_progress" | "completed" | "incomplete" | "failed",
  ending?: ReplyEnding,
): JsonObject {
  return {
    id: newId("resp"),
    object: "response",
    created_at: 0,
    model,
    status,
    output: [],
    ...(status === "incomplete" && { incomplete_details: { reason: "max_output_tokens" } }),
    ...(ending && { usage: toUsage(ending.usage) }),
  };
}

/** A whole item; `pieces` of it are streamed before. */
export function toItem(
  beat: ContentBeat,
  { newId, body }: ReplyOptions,
  id = newId(prefixOf(beat)),
): JsonObject {
  switch (beat.beat) {
    case "text": {
      const part = { type: "output_text", text: beat.pieces.join(""), annotations: [] };
      return { type: "message", id, role: "assistant", status: "completed", content: [part] };
    }
    case "thinking": {
      const summary = [{ type: "summary_text", text: beat.pieces.join("") }];
      return { type: "reasoning", id, summary, encrypted_content: beat.signature };
    }
    case "redacted-thinking":
      return { type: "reasoning", id, summary: [], encrypted_content: beat.data };
    case "tool-call": {
      const call = { id, call_id: beat.id ?? id, ...toName(beat.name), status: "completed" };
      const given = beat.pieces.join("");
      if (isFreeform(body, beat.name)) return { type: "custom_tool_call", ...call, input: given };
      return { type: "function_call", ...call, arguments: given };
    }
  }
}

/** Some tools take plain text in place of JSON; the request says which. */
function isFreeform({ tools }: JsonObject, name: string): boolean {
  return Array.isArray(tools) && tools.some((tool) => tool.type === "custom" && tool.name === name);
}

/** In `mcp__files.read` the tool `read` of a namespace is meant. */
function toName(whole: string): { name: string; namespace?: string } {
  const dot = whole.lastIndexOf(".");
  return dot < 0 ? { name: whole } : { namespace: whole.slice(0, dot), name: whole.slice(dot + 1) };
}

function prefixOf({ beat }: ContentBeat): string {
  if (beat === "tool-call") return "call";
  return beat === "text" ? "msg" : "rs";
}

function toUsage({ input = 0, output = 0, cacheRead = 0, reasoning = 0 }: TokenUsage): JsonObject {
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cacheRead },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: input + output,
  };
}
