/** A streamed reply of the OpenAI Responses API: server-sent events from `response.created` to `response.completed`. */
import { continues } from "./merge-content.ts";
import type { JsonObject, ReplyEnding, ReplyOptions, ReplyStream } from "./model-api.ts";
import { toError, toItem, toResponse } from "./openai-responses-mapping.ts";
import type { ContentBeat, ScriptedError } from "./script.ts";

interface OpenItem {
  readonly id: string;
  /** All that was said of it so far. */
  beat: ContentBeat;
}

export class OpenAiResponsesStream implements ReplyStream {
  readonly #options: ReplyOptions;
  readonly #output: JsonObject[] = [];
  #open: OpenItem | undefined;
  #sequence = 0;

  constructor(options: ReplyOptions) {
    this.#options = options;
  }

  start(): string {
    return this.#frame("response.created", { response: toResponse(this.#options, "in_progress") });
  }

  *content(beat: ContentBeat): Iterable<string> {
    let opening = this.#openItem(beat);
    for (const piece of "pieces" in beat ? beat.pieces : []) {
      yield opening + this.#delta(beat, piece);
      opening = "";
    }
    if (opening) yield opening;
  }

  end(ending: ReplyEnding): string {
    const closed = this.#closeItem();
    const status = ending.reason === "max-tokens" ? "incomplete" : "completed";
    const response = { ...toResponse(this.#options, status, ending), output: this.#output };
    return closed + this.#frame(`response.${status}`, { response });
  }

  fail(error: ScriptedError): string {
    const response = { ...toResponse(this.#options, "failed"), ...toError(error) };
    return this.#frame("response.failed", { response });
  }

  #openItem(beat: ContentBeat): string {
    if (this.#open && continues(this.#open.beat, beat)) {
      this.#open.beat = joined(this.#open.beat, beat);
      return "";
    }
    const closed = this.#closeItem();
    const item = toItem(withoutPieces(beat), this.#options);
    const id = String(item.id);
    this.#open = { id, beat };
    const added = this.#frame("response.output_item.added", {
      output_index: this.#output.length,
      item: { ...item, status: "in_progress", ...(item.type === "message" && { content: [] }) },
    });
    return closed + added + this.#openPart(beat);
  }

  #openPart({ beat }: ContentBeat): string {
    if (beat === "text") {
      const part = { type: "output_text", text: "", annotations: [] };
      return this.#frame("response.content_part.added", this.#place({ content_index: 0, part }));
    }
    if (beat !== "thinking") return "";
    const part = { type: "summary_text", text: "" };
    return this.#frame("response.reasoning_summary_part.added", this.#place({ summary_index: 0, part }));
  }

  #delta({ beat }: ContentBeat, delta: string): string {
    if (beat === "text")
      return this.#frame("response.output_text.delta", this.#place({ content_index: 0, delta }));
    if (beat === "thinking") {
      return this.#frame("response.reasoning_summary_text.delta", this.#place({ summary_index: 0, delta }));
    }
    const isFreeform = toItem(this.#open!.beat, this.#options, "").type === "custom_tool_call";
    const kind = isFreeform ? "custom_tool_call_input" : "function_call_arguments";
    return this.#frame(`response.${kind}.delta`, this.#place({ delta }));
  }

  #closeItem(): string {
    if (!this.#open) return "";
    const { id, beat } = this.#open;
    const item = toItem(beat, this.#options, id);
    const done = this.#frame("response.output_item.done", { output_index: this.#output.length, item });
    this.#output.push(item);
    this.#open = undefined;
    return done;
  }

  #place(fields: object): object {
    return { item_id: this.#open?.id, output_index: this.#output.length, ...fields };
  }

  #frame(type: string, fields: object): string {
    const data = { type, sequence_number: this.#sequence, ...fields };
    this.#sequence += 1;
    return `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
  }
}

function joined(last: ContentBeat, next: ContentBeat): ContentBeat {
  if (!("pieces" in last) || !("pieces" in next)) return next;
  return { ...last, pieces: [...last.pieces, ...next.pieces] };
}

function withoutPieces(beat: ContentBeat): ContentBeat {
  return "pieces" in beat ? { ...beat, pieces: [] } : beat;
}
