/** The OpenAI Chat Completions API: how its requests are read, and how replies look in one body. */
import { mergeContent } from "./merge-content.ts";
import type { JsonObject, ModelApi, ModelMessage, ReplyOptions } from "./model-api.ts";
import { toChatUsage, toFinishReason } from "./openai-chat-mapping.ts";
import { OpenAiChatStream } from "./openai-chat-stream.ts";
import { toError } from "./openai-responses-mapping.ts";
import type { ContentBeat } from "./script.ts";

/**
 * @example
 * const model = await startScriptedModel({ apis: [openAiChat], scripts: { hello: [text("Hi")] } });
 * await run({ baseUrl: `${model.url}/v1`, prompt: "Say hello [[hello]]" });
 */
export const openAiChat: ModelApi = {
  name: "openai-chat",
  path: "/v1/chat/completions",
  readRequest: ({ model, stream, messages }) => ({
    model: String(model),
    streams: stream === true,
    messages: (Array.isArray(messages) ? messages : []).flatMap(readMessage),
  }),
  createStream: (options) => new OpenAiChatStream(options),
  wholeReply: (content, { reason, usage }, options) => ({
    id: options.newId("chatcmpl"),
    object: "chat.completion",
    created: 0,
    model: options.model,
    choices: [{ index: 0, message: wholeMessage(content, options), finish_reason: toFinishReason(reason) }],
    usage: toChatUsage(usage),
  }),
  errorBody: toError,
  answerAside: () => undefined,
};

/** The results of tools are messages of their own; they count as nobody's words. */
function readMessage({ role, content }: JsonObject): ModelMessage[] {
  if (role === "tool" || role === "function") return [];
  const known = role === "user" || role === "assistant" ? role : "system";
  return [{ role: known, text: textOf(content) }];
}

function textOf(content: unknown): string {
  if (!Array.isArray(content)) return typeof content === "string" ? content : "";
  return content.flatMap((part) => (typeof part.text === "string" ? [part.text] : [])).join("\n");
}

function wholeMessage(content: readonly ContentBeat[], { newId }: ReplyOptions): JsonObject {
  const merged = mergeContent(content);
  const said = (kind: "text" | "thinking") =>
    merged.flatMap((beat) => (beat.beat === kind ? beat.pieces : [])).join("");
  const calls = merged.flatMap((beat) =>
    beat.beat === "tool-call"
      ? [
          {
            id: beat.id ?? newId("call"),
            type: "function",
            function: { name: beat.name, arguments: beat.pieces.join("") },
          },
        ]
      : [],
  );
  return {
    role: "assistant",
    content: said("text") || null,
    ...(said("thinking") && { reasoning_content: said("thinking") }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}
