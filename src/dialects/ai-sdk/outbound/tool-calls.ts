/** The calls of the agent's own tools: start, input, result. */
import type { EventOf } from "../../../core/event.ts";
import type { SegmentWriter } from "./segment-writer.ts";
import { inputGiven, inputSoFar, startCall, type ToolCall, toolMetadata, updateCall } from "./tool-call.ts";
import { toolResultData } from "./tool-result-data.ts";

export type ToolEvent = EventOf<
  | "tool.start"
  | "tool.updated"
  | "tool.input.delta"
  | "tool.input"
  | "tool.output.delta"
  | "tool.output"
  | "tool.failed"
  | "tool.denied"
  | "tool.abandoned"
>;

export type ToolResultEvent = EventOf<"tool.output" | "tool.failed" | "tool.denied" | "tool.abandoned">;

/** How much of a call's streamed output is kept, in case it never has a result. */
const OUTPUT_TAIL = 16_384;

function tailOf(output: string): string {
  return output.slice(-OUTPUT_TAIL);
}

interface OpenCall extends ToolCall {
  /** The step of the stream it was announced in: only there does its part take input. */
  step: number;
  /** What the input of its part was made from; undefined while the part has none. */
  shown?: { input: unknown; text: string };
  outputTail: string;
  /** Whether its part shows output that is not final. */
  hasPreview?: boolean;
  /** The ask its part shows as an approval. */
  approval?: string;
  /** Whether that ask is open. */
  isWaiting?: boolean;
  /** The ask by which a person declined it. */
  declinedBy?: string;
}

export class ToolCalls {
  readonly #writer: SegmentWriter;
  readonly #dynamic: { dynamic?: true };
  readonly #open = new Map<string, OpenCall>();
  #streamsInput = false;

  constructor(writer: SegmentWriter, toolParts: "static" | "dynamic") {
    this.#writer = writer;
    this.#dynamic = toolParts === "dynamic" ? { dynamic: true } : {};
    writer.beforeStepEnds(() => {
      for (const call of this.#unfinished()) this.#ensureInput(call);
    });
  }

  get(id: string): ToolCall | undefined {
    return this.#open.get(id);
  }

  add(event: ToolEvent): void {
    if (event.type === "tool.start") return this.#start(event);
    const call = this.#open.get(event.call);
    if (!call) return;
    switch (event.type) {
      case "tool.input.delta":
        return this.#inputDelta(call, event);
      case "tool.updated":
      case "tool.input":
        return this.#update(call, event);
      case "tool.output.delta":
        call.outputTail = tailOf(call.outputTail + event.delta);
        return;
      default:
        return this.#settle(call, event);
    }
  }

  /**
   * Whether the input of a call other than this one is still on its way. A client cannot be given the rest of it
   * after the step has ended. A call with no input at all counts when the agent is one that streams inputs; with
   * others it may never come.
   */
  isInputComing(except?: string): boolean {
    return this.#unfinished().some(
      ({ id, input, inputText }) =>
        id !== except && input === undefined && (this.#streamsInput || inputText !== ""),
    );
  }

  /** Whether clients would send the answer to an ask on this call: nothing else in the step may be unfinished. */
  canAskInPlace(id: string): boolean {
    const unfinished = this.#unfinished();
    return unfinished.length === 1 && unfinished[0]?.id === id;
  }

  /**
   * Puts an ask on the call's own part. The input is given again without `providerExecuted`: clients before 6.0.158
   * send no answer for a call that has the flag, and nobody knew of the ask when the call was announced. `asked` is
   * shown where the call has no input yet.
   */
  askInPlace(id: string, ask: string, asked: unknown): void {
    const call = this.#open.get(id);
    if (!call) return;
    this.#showInput(call, false, inputGiven(call) ?? asked);
    call.approval = ask;
    call.isWaiting = true;
    this.#writer.write({ type: "tool-approval-request", approvalId: ask, toolCallId: id });
  }

  /** Notes that an ask about the call is closed; when a person declined it, `tool.denied` comes next. */
  closeAsk(id: string, ask: string, isDeclined: boolean): void {
    const call = this.#open.get(id);
    if (!call) return;
    if (call.approval === ask) call.isWaiting = false;
    if (isDeclined) call.declinedBy = ask;
  }

  /** The calls of the open step that have no result. */
  #unfinished(): OpenCall[] {
    return [...this.#open.values()].filter((call) => call.step === this.#writer.openStep);
  }

  #start(event: EventOf<"tool.start">): void {
    const call = { ...startCall(event), step: this.#writer.ensureStep(), outputTail: "" };
    this.#open.set(call.id, call);
    this.#writer.write({ type: "tool-input-start", ...this.#head(call), providerExecuted: true });
  }

  #inputDelta(call: OpenCall, event: EventOf<"tool.input.delta">): void {
    this.#streamsInput = true;
    updateCall(call, event);
    // Once the part has an input, a delta would take it back to streaming.
    if (call.shown !== undefined) return;
    this.#writer.write({ type: "tool-input-delta", toolCallId: call.id, inputTextDelta: event.delta });
  }

  #update(call: OpenCall, event: EventOf<"tool.updated" | "tool.input">): void {
    updateCall(call, event);
    if (event.type === "tool.updated" && call.shown === undefined) return;
    if (call.step === this.#writer.openStep) return this.#showInput(call, true);
    // In a later step the same chunk would make a second part.
    const { id, name, title, edited } = call;
    this.#writer.write({
      type: "data-tool-update",
      id,
      data: { call: id, name, title, input: inputSoFar(call), ...(edited && { edited }) },
    });
  }

  #settle(call: OpenCall, event: ToolResultEvent): void {
    if (event.type === "tool.output" && event.preliminary) return this.#preview(call, event.output);
    this.#ensureInput(call);
    const toolCallId = call.id;
    switch (event.type) {
      case "tool.output":
        this.#writeOutput(toolCallId, event.output);
        break;
      case "tool.failed":
        this.#fail(toolCallId, event.error);
        break;
      case "tool.abandoned":
        this.#fail(toolCallId, event.reason);
        break;
      case "tool.denied":
        this.#deny(call, event.reason);
    }
    const data = toolResultData(event, call.outputTail);
    if (data) this.#writer.write({ type: "data-tool-result", id: toolCallId, data });
    this.#open.delete(toolCallId);
  }

  #preview(call: OpenCall, output: unknown): void {
    call.outputTail = typeof output === "string" ? tailOf(output) : "";
    // It would replace the open approval.
    if (call.isWaiting) return;
    this.#ensureInput(call);
    call.hasPreview = true;
    this.#writeOutput(call.id, output, { preliminary: true });
  }

  #writeOutput(toolCallId: string, output: unknown, flags: { preliminary?: true } = {}): void {
    this.#writer.write({
      type: "tool-output-available",
      toolCallId,
      output: output ?? null,
      ...flags,
      ...this.#dynamic,
    });
  }

  /**
   * To a client `denied` means that a person declined the approval on this part, so any other denial is an error. So is
   * one after output: clients would keep that and then reject the message.
   */
  #deny(call: OpenCall, reason = "The call was denied."): void {
    const isDeclined = call.approval !== undefined && call.approval === call.declinedBy;
    if (!isDeclined || call.hasPreview) return this.#fail(call.id, reason);
    this.#writer.write({ type: "tool-output-denied", toolCallId: call.id });
  }

  #fail(toolCallId: string, errorText: string): void {
    this.#writer.write({ type: "tool-output-error", toolCallId, errorText, ...this.#dynamic });
  }

  /** Results and approvals need an input before them, and the agent may never give one. */
  #ensureInput(call: OpenCall): void {
    if (call.shown?.input === call.input && call.shown?.text === call.inputText) return;
    if (call.step === this.#writer.openStep) this.#showInput(call, true);
  }

  #showInput(call: OpenCall, providerExecuted: boolean, input: unknown = inputSoFar(call)): void {
    call.shown = { input: call.input, text: call.inputText };
    this.#writer.write({
      type: "tool-input-available",
      ...this.#head(call),
      providerExecuted,
      input,
      providerMetadata: toolMetadata(call),
    });
  }

  #head(call: ToolCall) {
    return {
      toolCallId: call.id,
      toolName: call.name,
      title: call.title,
      ...this.#dynamic,
    };
  }
}
