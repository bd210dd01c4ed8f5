/** The Anthropic Messages API: how its requests are read, and how replies look in one body. */

import { toError, toStop, toUsage } from "./anthropic-mapping.ts";
import { AnthropicStream } from "./anthropic-stream.ts";
import { mergeContent } from "./merge-content.ts";
import type { ModelApi, ModelMessage, ReplyOptions } from "./model-api.ts";
import type { ContentBeat } from "./script.ts";

/** @example await startScriptedModel({ apis: [anthropicMessages], scripts: { hello: [text("Hi")] } }) */
export const anthropicMessages: ModelApi = {
  name: "anthropic-messages",
  path: "/v1/messages",
  readRequest: ({ model, stream, messages }) => ({
    model: String(model),
    streams: stream === true,
    messages: Array.isArray(messages) ? messages.map(readMessage) : [],
  }),
  createStream: (options) => new AnthropicStream(options),
  wholeReply: (content, { reason, usage }, { model, newId }) => ({
    id: newId("msg"),
    type: "message",
    role: "assistant",
    model,
    content: mergeContent(content).map((beat) => wholeBlock(beat, newId)),
    ...toStop(reason),
    usage: toUsage(usage),
  }),
  errorBody: toError,
  answerAside(method, path, body) {
    if (method === "HEAD" && path === "/") return {};
    if (method === "GET" && path === "/v1/models") {
      return { data: [], has_more: false, first_id: null, last_id: null };
    }
    if (method !== "POST" || path !== "/v1/messages/count_tokens") return undefined;
    return { input_tokens: Math.ceil(JSON.stringify(body).length / 4) };
  },
};

function readMessage({ role, content }: { role: ModelMessage["role"]; content: unknown }): ModelMessage {
  if (!Array.isArray(content)) return { role, text: String(content ?? "") };
  const texts = content.filter((block) => block.type === "text").map((block) => String(block.text));
  return { role, text: texts.join("\n") };
}

function wholeBlock(beat: ContentBeat, newId: ReplyOptions["newId"]): object {
  switch (beat.beat) {
    case "text":
      return { type: "text", text: beat.pieces.join("") };
    case "thinking":
      return { type: "thinking", thinking: beat.pieces.join(""), signature: beat.signature };
    case "redacted-thinking":
      return { type: "redacted_thinking", data: beat.data };
    case "tool-call": {
      const { name, pieces, id = newId("toolu") } = beat;
      return { type: "tool_use", id, name, input: readInput(pieces.join("")) };
    }
  }
}

/** Broken JSON cannot stand in a body of JSON; it is given as text. */
function readInput(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
