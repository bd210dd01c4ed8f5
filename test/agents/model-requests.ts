/** Reading what an agent sent to the model. */
import type { ModelRequest } from "../../src/testkit/scripted-model/index.ts";

interface Block {
  type: string;
  content?: unknown;
  is_error?: boolean;
}

/** The tool results of a request in the Anthropic Messages API, oldest first. */
export function toolResults({ body }: ModelRequest): Block[] {
  const messages = body.messages as readonly { content: string | readonly Block[] }[];
  return messages.flatMap(({ content }) =>
    typeof content === "string" ? [] : content.filter(({ type }) => type === "tool_result"),
  );
}

/** The results of calls in a request in the OpenAI Responses API, as JSON, oldest first. */
export function callResults({ body }: ModelRequest): string[] {
  const items = body.input as readonly { type: string; output?: unknown }[];
  return items.flatMap(({ type, output }) => (type.endsWith("_call_output") ? [JSON.stringify(output)] : []));
}

/** What a model was asked: which one, with what, and with which results of tools. The latter as JSON. */
export interface Heard {
  readonly model: string | undefined;
  readonly input: string;
  readonly results: readonly string[];
}

/** In the Anthropic Messages API. */
export function heardInMessages(request: ModelRequest): Heard {
  const results = toolResults(request).map((result) => JSON.stringify(result));
  return { model: request.model, input: JSON.stringify(request.body.messages), results };
}

/** In the OpenAI Responses API. */
export function heardInResponses(request: ModelRequest): Heard {
  return {
    model: request.model,
    input: JSON.stringify(request.body.input),
    results: callResults(request),
  };
}
