/** A streamed reply of the Gemini API: every frame is a response of its own, and the last one tells why it ended. */
import { toCandidate, toGeminiError, toPart, toUsageMetadata } from "./gemini-mapping.ts";
import type { JsonObject, ReplyEnding, ReplyOptions, ReplyStream } from "./model-api.ts";
import type { ContentBeat, ScriptedError } from "./script.ts";

export class GeminiStream implements ReplyStream {
  readonly #options: ReplyOptions;

  constructor(options: ReplyOptions) {
    this.#options = options;
  }

  start(): string {
    return "";
  }

  /** Text comes in pieces, a call as a whole. */
  *content(beat: ContentBeat): Iterable<string> {
    const isText = beat.beat === "text" || beat.beat === "thinking";
    const pieces = isText ? beat.pieces.map((piece) => ({ ...beat, pieces: [piece] })) : [beat];
    for (const piece of pieces) {
      const part = toPart(piece, this.#options.newId);
      if (part) yield this.#frame({ candidates: [toCandidate([part])] });
    }
  }

  end({ reason, usage }: ReplyEnding): string {
    return this.#frame({
      candidates: [toCandidate([{ text: "" }], reason)],
      usageMetadata: toUsageMetadata(usage),
    });
  }

  fail(error: ScriptedError): string {
    return `data: ${JSON.stringify(toGeminiError(error))}\r\n\r\n`;
  }

  #frame(fields: JsonObject): string {
    return `data: ${JSON.stringify({ ...fields, modelVersion: this.#options.model })}\r\n\r\n`;
  }
}
