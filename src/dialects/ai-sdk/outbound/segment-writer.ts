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
  #steps = 0;
  #isStepOpen = false;
  #isStepEmpty = true;
  /** The number of the step that the last segment ended with. */
  #stepAtSeam: number | undefined;

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
      this.#chunks.push({ type: "start", messageId: this.#messageId });
    }
    this.#chunks.push(chunk);
  }

  get steps(): number {
    return this.#steps;
  }

  /** The number of the open step. A tool part takes input only in the step it was announced in. */
  get openStep(): number | undefined {
    return this.#isStepOpen ? this.#steps : undefined;
  }

  startStep(): void {
    if (this.#isStepOpen && this.#isStepEmpty) return;
    this.endStep();
    this.write({ type: "start-step" });
    this.#steps += 1;
    this.#isStepOpen = true;
    this.#isStepEmpty = true;
  }

  /** The step for content, reopened if a segment ended in the middle of it. */
  ensureStep(): number {
    if (!this.#isStepOpen) this.startStep();
    this.#isStepEmpty = false;
    return this.#steps;
  }

  endStep(): void {
    if (!this.#isStepOpen) return;
    for (const close of this.#beforeStepEnds) close();
    this.#isStepOpen = false;
    this.write({ type: "finish-step" });
  }

  /**
   * The agent's step has ended. Clients send by themselves when all calls of the last step are answered, so after an
   * ask the last step must not stay that of the ask: the next one begins now.
   */
  leaveStep(): void {
    this.endStep();
    if (this.#stepAtSeam === this.#steps) this.startStep();
  }

  /** Registers what has to be closed while the step is still open. */
  beforeStepEnds(close: () => void): void {
    this.#beforeStepEnds.push(close);
  }

  endSegment(): void {
    this.endStep();
    this.write({ type: "finish", finishReason: "tool-calls" });
    this.#isSegmentOpen = false;
    this.#stepAtSeam = this.#steps;
  }

  /** Ends the message. `before` are chunks that have to precede `finish`. */
  endMessage(finishReason: FinishReason, metadata?: MessageMetadata, before: UIMessageChunk[] = []): void {
    this.endStep();
    for (const chunk of before) this.write(chunk);
    this.write({ type: "finish", finishReason, messageMetadata: metadata });
    this.#isSegmentOpen = false;
  }
}
