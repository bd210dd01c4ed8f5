/** A call of a tool that is being made. */
import type { Owner, Speaker } from "./speaker.ts";

export interface CallDescription extends Owner {
  readonly title: string;
  readonly kind: "read" | "edit" | "execute" | "search" | "agent";
  readonly input?: unknown;
}

export class Call {
  readonly id: string;
  readonly tool: string;
  readonly description: CallDescription;
  readonly #speaker: Speaker;
  isSettled = false;

  constructor(speaker: Speaker, id: string, tool: string, description: CallDescription) {
    this.#speaker = speaker;
    this.id = id;
    this.tool = tool;
    this.description = description;
  }

  async start(): Promise<void> {
    const { title, kind, under, task, input } = this.description;
    const { tool } = this;
    await this.#speaker.emit({ event: "call_started", call: this.id, tool, title, kind, under, task });
    if (input !== undefined) await this.input(input);
  }

  /** Types the input as a model does: piece by piece, then whole. */
  async typeInput(input: unknown): Promise<void> {
    for (const text of JSON.stringify(input).match(/.{1,12}/gsu) ?? []) {
      await this.#speaker.emit({ event: "call_input_delta", call: this.id, text });
      await this.#speaker.pause(15);
    }
    await this.input(input);
  }

  input(input: unknown): Promise<void> {
    this.#speaker.said += JSON.stringify(input).length;
    return this.#speaker.emit({ event: "call_input", call: this.id, input });
  }

  progress(progress: unknown): Promise<void> {
    return this.#speaker.emit({ event: "call_progress", call: this.id, progress });
  }

  partialOutput(output: unknown): Promise<void> {
    return this.#speaker.emit({ event: "call_output", call: this.id, output, partial: true });
  }

  outputDelta(text: string): Promise<void> {
    return this.#speaker.emit({ event: "call_output_delta", call: this.id, text });
  }

  output(output: unknown, options: { exitCode?: number; continues?: boolean } = {}): Promise<void> {
    this.isSettled = true;
    return this.#speaker.emit({ event: "call_output", call: this.id, output, ...options });
  }

  fail(error: string): Promise<void> {
    this.isSettled = true;
    return this.#speaker.emit({ event: "call_failed", call: this.id, error });
  }

  deny(note?: string): Promise<void> {
    this.isSettled = true;
    return this.#speaker.emit({ event: "call_denied", call: this.id, note });
  }
}
