/** A streamed reply of the OpenAI Chat Completions API: chunks, and `[DONE]` behind the last one. */
import type { ReplyEnding, ReplyOptions, ReplyStream } from "./model-api.ts";
import { toChatUsage, toFinishReason } from "./openai-chat-mapping.ts";
import { toError } from "./openai-responses-mapping.ts";
import type { ContentBeat, ScriptedError } from "./script.ts";

export class OpenAiChatStream implements ReplyStream {
  readonly #options: ReplyOptions;
  readonly #id: string;
  #calls = 0;

  constructor(options: ReplyOptions) {
    this.#options = options;
    this.#id = options.newId("chatcmpl");
  }

  start(): string {
    return this.#chunk({ role: "assistant", content: "" });
  }

  *content(beat: ContentBeat): Iterable<string> {
    switch (beat.beat) {
      case "text":
        for (const content of beat.pieces) yield this.#chunk({ content });
        return;
      case "thinking":
        // Not OpenAI's own, but what those who offer its API have agreed on.
        for (const thought of beat.pieces) yield this.#chunk({ reasoning_content: thought });
        return;
      case "redacted-thinking":
        return;
      case "tool-call":
        yield* this.#call(beat);
    }
  }

  end({ reason, usage }: ReplyEnding): string {
    const last = this.#chunk({}, toFinishReason(reason));
    return `${last}${this.#frame({ choices: [], usage: toChatUsage(usage) })}data: [DONE]\n\n`;
  }

  fail(error: ScriptedError): string {
    return `data: ${JSON.stringify(toError(error))}\n\n`;
  }

  *#call({ name, pieces, id }: Extract<ContentBeat, { beat: "tool-call" }>): Iterable<string> {
    const index = this.#calls;
    this.#calls += 1;
    const call = { index, id: id ?? this.#options.newId("call"), type: "function" };
    yield this.#chunk({ tool_calls: [{ ...call, function: { name, arguments: "" } }] });
    for (const piece of pieces)
      yield this.#chunk({ tool_calls: [{ index, function: { arguments: piece } }] });
  }

  #chunk(delta: object, finishReason: string | null = null): string {
    return this.#frame({ choices: [{ index: 0, delta, finish_reason: finishReason }] });
  }

  #frame(fields: object): string {
    const { model } = this.#options;
    const chunk = { id: this.#id, object: "chat.completion.chunk", created: 0, model, ...fields };
    return `data: ${JSON.stringify(chunk)}\n\n`;
  }
}
