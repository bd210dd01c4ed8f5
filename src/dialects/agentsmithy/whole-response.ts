/** The events of a response → the one answer that a client gets which does not want a stream. */
import type { SessionEvent } from "../../core/event.ts";
import type { Frame, View } from "../dialect.ts";
import type { ResponseView } from "./outbound.ts";

export interface WholeResponse {
  content: string;
  done: true;
  metadata: { dialog_id: string; checkpoint?: string; error?: string };
}

const NO_FRAMES: readonly Frame[] = [];

/** Keeps what the agent says, and nothing else of a response, until that has ended. */
export class WholeResponseView implements View {
  readonly #response: ResponseView;
  readonly #maxLength: number;
  readonly #metadata: WholeResponse["metadata"];
  readonly #texts: string[] = [];
  #length = 0;
  #isCut = false;

  /** @param maxLength Of the content, in characters. The rest is only in the history. */
  constructor(response: ResponseView, dialog: string, maxLength: number) {
    this.#response = response;
    this.#maxLength = maxLength;
    this.#metadata = { dialog_id: dialog };
  }

  /** It writes nothing: the answer is made at the end. */
  add(event: SessionEvent): readonly Frame[] {
    for (const told of this.#response.encode(event)) {
      if (told.type === "user" && told.checkpoint !== undefined) this.#metadata.checkpoint = told.checkpoint;
      if (told.type === "error") this.#metadata.error = told.error;
      if (told.type === "chat_start" && this.#texts.length > 0) this.#write("\n\n");
      if (told.type === "chat") this.#write(told.content);
    }
    return NO_FRAMES;
  }

  get whole(): WholeResponse {
    const cut = `The answer is longer than ${this.#maxLength} characters. The history of the dialog has all of it.`;
    const error = this.#isCut ? [this.#metadata.error, cut].filter(Boolean).join(" ") : this.#metadata.error;
    return {
      content: this.#texts.join(""),
      done: true,
      metadata: { ...this.#metadata, ...(error !== undefined && { error }) },
    };
  }

  #write(text: string): void {
    const room = this.#maxLength - this.#length;
    if (text.length > room) this.#isCut = true;
    const kept = text.slice(0, room);
    this.#length += kept.length;
    if (kept !== "") this.#texts.push(kept);
  }
}
