/**
 * Writes the chunks of one message in segments. A segment is what one HTTP response carries: `start` … `finish`. It
 * ends when a person is asked, since a stock client answers only after its response has ended; whatever comes next
 * opens the following segment of the same message.
 */
import type { FinishReason, UIMessageChunk } from "../chunk.ts";
import type { MessageMetadata } from "../ui-message.ts";

export class SegmentWriter {
  readonly #messageId: string;
  readonly #beforeStepEnds: (() => void)[] = [];
  #chunks: UIMessageChunk[] = [];
  #isSegmentOpen = true;
  #isStepOpen = false;
  #steps = 0;
  #stepsBeforeSegment: number | undefined;

  constructor(messageId: string, metadata: MessageMetadata) {
    this.#messageId = messageId;
    this.#chunks.push({ type: "start", messageId, messageMetadata: metadata });
  }

  /** The chunks written since the last call. */
  take(): UIMessageChunk[] {
    const chunks = this.#chunks;
    this.#chunks = [];
    return chunks;
  }

  write(chunk: UIMessageChunk): void {
    if (!this.#isSegmentOpen) {
      this.#isSegmentOpen = true;
      this.#stepsBeforeSegment = this.#steps;
      this.#chunks.push({ type: "start", messageId: this.#messageId });
    }
    this.#chunks.push(chunk);
  }

  /** The number of the open step. A tool part takes input only in the step it was announced in. */
  get step(): number | undefined {
    return this.#isStepOpen ? this.#steps : undefined;
  }

  startStep(): void {
    this.endStep();
    this.write({ type: "start-step" });
    this.#isStepOpen = true;
    this.#steps += 1;
  }

  /** The step that content goes into, opened anew when a segment ended in the middle of it. */
  ensureStep(): number {
    if (!this.#isStepOpen) this.startStep();
    return this.#steps;
  }

  endStep(): void {
    if (!this.#isStepOpen) return;
    for (const close of this.#beforeStepEnds) close();
    this.#isStepOpen = false;
    this.write({ type: "finish-step" });
  }

  /** Registers what has to be closed while the step is still open. */
  beforeStepEnds(close: () => void): void {
    this.#beforeStepEnds.push(close);
  }

  endSegment(): void {
    this.endStep();
    this.write({ type: "finish", finishReason: "tool-calls" });
    this.#isSegmentOpen = false;
  }

  /** Ends the message. `before` says how it ended, where `finish` cannot. */
  endMessage(finishReason: FinishReason, metadata?: MessageMetadata, before: UIMessageChunk[] = []): void {
    this.endStep();
    // Clients send by themselves when the last step holds nothing but answered calls: it must not be that of an ask.
    const isAfterAsk = !this.#isSegmentOpen || this.#stepsBeforeSegment === this.#steps;
    if (isAfterAsk) {
      this.startStep();
      this.endStep();
    }
    for (const chunk of before) this.write(chunk);
    this.write({ type: "finish", finishReason, ...(metadata && { messageMetadata: metadata }) });
    this.#isSegmentOpen = false;
  }
}
