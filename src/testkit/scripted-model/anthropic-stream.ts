/** A streamed reply of the Anthropic Messages API: server-sent events from `message_start` to `message_stop`. */
import { toError, toStop, toUsage } from "./anthropic-mapping.ts";
import { continues } from "./merge-content.ts";
import type { ReplyEnding, ReplyOptions, ReplyStream } from "./model-api.ts";
import type { ContentBeat, ScriptedError } from "./script.ts";

export class AnthropicStream implements ReplyStream {
  readonly #options: ReplyOptions;
  #index = -1;
  #open: ContentBeat | undefined;

  constructor(options: ReplyOptions) {
    this.#options = options;
  }

  start(): string {
    const { newId, model, usage } = this.#options;
    return frame("message_start", {
      message: {
        id: newId("msg"),
        type: "message",
        role: "assistant",
        model,
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: toUsage({ ...usage, output: 1 }),
      },
    });
  }

  *content(beat: ContentBeat): Iterable<string> {
    let opening = this.#openBlock(beat);
    for (const delta of deltas(beat)) {
      yield opening + frame("content_block_delta", { index: this.#index, delta });
      opening = "";
    }
    if (opening) yield opening;
  }

  end({ reason, usage }: ReplyEnding): string {
    const delta = { delta: toStop(reason), usage: { output_tokens: usage.output ?? 0 } };
    return this.#closeBlock() + frame("message_delta", delta) + frame("message_stop", {});
  }

  fail(error: ScriptedError): string {
    return frame("error", toError(error));
  }

  /** What has to be said before the first piece; nothing where the beat goes on with the open block. */
  #openBlock(beat: ContentBeat): string {
    if (this.#open && continues(this.#open, beat)) return "";
    const closed = this.#closeBlock();
    this.#open = beat;
    this.#index += 1;
    const block = emptyBlock(beat, this.#options.newId);
    return closed + frame("content_block_start", { index: this.#index, content_block: block });
  }

  #closeBlock(): string {
    if (!this.#open) return "";
    const { beat } = this.#open;
    const signature =
      beat === "thinking" ? { type: "signature_delta", signature: this.#open.signature } : undefined;
    const signed = signature ? frame("content_block_delta", { index: this.#index, delta: signature }) : "";
    this.#open = undefined;
    return signed + frame("content_block_stop", { index: this.#index });
  }
}

function frame(type: string, fields: object): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
}

function emptyBlock(beat: ContentBeat, newId: ReplyOptions["newId"]): object {
  switch (beat.beat) {
    case "text":
      return { type: "text", text: "" };
    case "thinking":
      return { type: "thinking", thinking: "", signature: "" };
    case "redacted-thinking":
      return { type: "redacted_thinking", data: beat.data };
    case "tool-call":
      return { type: "tool_use", id: beat.id ?? newId("toolu"), name: beat.name, input: {} };
  }
}

function deltas(beat: ContentBeat): object[] {
  switch (beat.beat) {
    case "text":
      return beat.pieces.map((text) => ({ type: "text_delta", text }));
    case "thinking":
      return beat.pieces.map((thinking) => ({ type: "thinking_delta", thinking }));
    case "redacted-thinking":
      return [];
    case "tool-call":
      return beat.pieces.map((partial) => ({ type: "input_json_delta", partial_json: partial }));
  }
}
