/** The OpenAI Responses API: how its requests are read, and how replies look in one body. */

import { mergeContent } from "./merge-content.ts";
import type { JsonObject, ModelApi, ModelMessage } from "./model-api.ts";
import { toError, toItem, toResponse } from "./openai-responses-mapping.ts";
import { OpenAiResponsesStream } from "./openai-responses-stream.ts";

/**
 * @example
 * const model = await startScriptedModel({ apis: [openAiResponses], scripts: { hello: [text("Hi")] } });
 * await run({ baseUrl: `${model.url}/v1`, prompt: "Say hello [[hello]]" });
 */
export const openAiResponses: ModelApi = {
  name: "openai-responses",
  path: "/v1/responses",
  readRequest: ({ model, stream, input }) => ({
    model: String(model),
    streams: stream === true,
    messages: typeof input === "string" ? [{ role: "user", text: input }] : readItems(input),
  }),
  createStream: (options) => new OpenAiResponsesStream(options),
  wholeReply: (content, ending, options) => ({
    ...toResponse(options, "completed", ending),
    output: mergeContent(content).map((beat) => toItem(beat, options)),
  }),
  errorBody: toError,
  answerAside(method, path) {
    return method === "GET" && path === "/v1/models" ? { object: "list", data: [], models: [] } : undefined;
  },
};

/** What a model says in one reply are several items here; together they are one message. */
function readItems(input: unknown): ModelMessage[] {
  const messages: ModelMessage[] = [];
  let isAnswering = false;
  for (const item of (Array.isArray(input) ? input : []) as JsonObject[]) {
    const isAnswer = isOfModel(item);
    if (!isAnswer && isMessage(item)) messages.push({ role: roleOf(item), text: textOf(item) });
    if (isAnswer && !isAnswering) messages.push({ role: "assistant", text: textOf(item) });
    isAnswering = isAnswer;
  }
  return messages;
}

/** Whether the model said it: words, thoughts and calls, but not the results of calls. */
function isOfModel({ type, role }: JsonObject): boolean {
  if (isMessage({ type, role })) return role === "assistant";
  return type === "reasoning" || String(type).endsWith("_call");
}

/** Some clients leave the type of a message out. */
function isMessage({ type, role }: JsonObject): boolean {
  return type === "message" || (type === undefined && role !== undefined);
}

function roleOf({ role }: JsonObject): ModelMessage["role"] {
  return role === "user" ? "user" : "system";
}

function textOf({ content }: JsonObject): string {
  if (!Array.isArray(content)) return typeof content === "string" ? content : "";
  return content.flatMap((part) => (typeof part.text === "string" ? [part.text] : [])).join("\n");
}
