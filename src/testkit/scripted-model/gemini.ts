/** The Gemini API: how its requests are read, and how replies look in one body. */

import { toCandidate, toGeminiError, toPart, toUsageMetadata } from "./gemini-mapping.ts";
import { GeminiStream } from "./gemini-stream.ts";
import { mergeContent } from "./merge-content.ts";
import type { JsonObject, ModelApi, ModelMessage } from "./model-api.ts";

const PATH = /^\/v1(?:beta)?\/models\/([^/:]+):(?:generate|streamGenerate)Content$/;

/** @example await startScriptedModel({ apis: [gemini], scripts: { hello: [text("Hi")] } }) */
export const gemini: ModelApi = {
  name: "gemini",
  path: PATH,
  readRequest: (body, path = "") => ({
    model: PATH.exec(path)?.[1] ?? "",
    streams: path.endsWith(":streamGenerateContent"),
    // Who wants a form filled in is not in the conversation, also where the form is about it.
    messages: formOf(body) ? [] : readContents(body.contents),
  }),
  createStream: (options) => new GeminiStream(options),
  wholeReply: (content, { reason, usage }, { body, model, newId }) => {
    const form = formOf(body);
    const said = mergeContent(content).map((beat) => toPart(beat, newId));
    const parts = form ? [{ text: JSON.stringify(fillIn(form)) }] : said.filter((part) => part !== undefined);
    return {
      candidates: [toCandidate(parts, reason)],
      usageMetadata: toUsageMetadata(usage),
      modelVersion: model,
    };
  },
  errorBody: toGeminiError,
  answerAside(method, path, body) {
    if (method !== "POST" || !path.endsWith(":countTokens")) return undefined;
    return { totalTokens: Math.ceil(JSON.stringify(body).length / 4) };
  },
};

/** The schema of the JSON that is wanted in place of text. */
function formOf({ generationConfig }: JsonObject): JsonObject | undefined {
  const wanted = (generationConfig ?? {}) as JsonObject;
  if (wanted.responseMimeType !== "application/json") return undefined;
  return (wanted.responseJsonSchema ?? wanted.responseSchema ?? {}) as JsonObject;
}

/** The least that fits a schema. */
function fillIn(schema: JsonObject): unknown {
  if (Array.isArray(schema.enum)) return schema.enum[0];
  switch (String(schema.type ?? "object").toLowerCase()) {
    case "object": {
      const fields = (schema.properties ?? {}) as Record<string, JsonObject>;
      return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, fillIn(field)]));
    }
    case "array":
      return [];
    case "boolean":
      return false;
    case "integer":
    case "number":
      return 1;
    default:
      return "scripted";
  }
}

/** Results of tools come in messages of the user; they are nobody's words. */
function readContents(contents: unknown): ModelMessage[] {
  return ((Array.isArray(contents) ? contents : []) as JsonObject[]).map(({ role, parts }) => ({
    role: role === "model" ? "assistant" : "user",
    text: ((Array.isArray(parts) ? parts : []) as JsonObject[])
      .flatMap(({ text }) => (typeof text === "string" ? [text] : []))
      .join("\n"),
  }));
}
