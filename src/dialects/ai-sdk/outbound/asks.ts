/**
 * Asks. A stock client sends an answer only after its response has ended, and only when every call in the last step
 * is finished or answered. So an ask ends the segment. It stands on its own call where that is the only unfinished
 * one of the step; otherwise a call of ours, in a step of its own, carries it. Waiting for the siblings instead would
 * hang with every agent that asks for one thing after the other.
 */
import { isRejection } from "../../../core/ask.ts";
import { shownFields } from "../../../core/ask-update.ts";
import type { EventOf } from "../../../core/event.ts";
import { withoutUndefined } from "../../../core/without-undefined.ts";
import { type AskData, askedInput, detailsOf } from "../data-part.ts";
import type { SegmentWriter } from "./segment-writer.ts";
import type { Subagents } from "./subagents.ts";
import { inputSoFar } from "./tool-call.ts";
import type { ToolCalls } from "./tool-calls.ts";

export type AskEvent = EventOf<"ask.opened" | "ask.updated" | "ask.answered" | "ask.closed">;

interface OpenAsk {
  data: AskData;
  isShown: boolean;
  /** The call of ours that carries it. */
  carrier?: string;
}

export class Asks {
  readonly #writer: SegmentWriter;
  readonly #calls: ToolCalls;
  readonly #subagents: Subagents;
  readonly #dynamic: { dynamic?: true };
  readonly #open = new Map<string, OpenAsk>();
  /** The last step that was made for asks. */
  #carrierStep: { number: number; isForQuestions: boolean } | undefined;

  constructor(
    writer: SegmentWriter,
    calls: ToolCalls,
    subagents: Subagents,
    toolParts: "static" | "dynamic",
  ) {
    this.#writer = writer;
    this.#calls = calls;
    this.#subagents = subagents;
    this.#dynamic = toolParts === "dynamic" ? { dynamic: true } : {};
  }

  add(event: AskEvent): void {
    if (event.type === "ask.opened") return this.#openAsk(event);
    const open = this.#open.get(event.ask);
    if (!open) return;
    if (event.type === "ask.closed") return this.#close(open, event);
    if (event.type === "ask.updated") return this.#update(open, event);
    open.data = { ...open.data, answer: answerOf(event) };
  }

  /** Shows the asks that had to wait for the input of another call. Call it after every event. */
  showWaiting(): void {
    for (const ask of this.#open.values()) {
      if (ask.isShown || ask.data.answer || this.#calls.isInputComing(ask.data.call)) continue;
      this.#show(ask);
    }
  }

  #openAsk(event: EventOf<"ask.opened">): void {
    const data: AskData = { ...detailsOf(event), state: "open" };
    // Background work does not block the turn, so its asks do not end the response: they are only shown.
    const isOfTurn = event.turn !== undefined;
    this.#open.set(event.ask, { data, isShown: !isOfTurn });
    if (!isOfTurn) this.#tell(data);
  }

  /** The response has ended: later readers get it with the stored message. */
  #update(ask: OpenAsk, event: EventOf<"ask.updated">): void {
    ask.data = { ...ask.data, ...shownFields(event) };
    if (ask.isShown) this.#tell(ask.data);
  }

  #show(ask: OpenAsk): void {
    const { data } = ask;
    ask.isShown = true;
    if (data.call !== undefined && data.kind !== "question" && this.#calls.canAskInPlace(data.call)) {
      this.#tell(data);
      this.#calls.askInPlace(data.call, data.ask, askedInput(data));
    } else {
      ask.carrier = `${data.kind}_${data.ask}`;
      this.#startCarrierStep(data.kind === "question");
      this.#tell(data);
      this.#carry(data, ask.carrier);
    }
    this.#writer.endSegment();
  }

  /** Asks that follow one another share a step, so that a client can show them at once and answer them in one request. */
  #startCarrierStep(isQuestion: boolean): void {
    const { number, isForQuestions } = this.#carrierStep ?? {};
    if (number === this.#writer.steps && isForQuestions === isQuestion) return;
    this.#writer.startStep();
    this.#carrierStep = { number: this.#writer.steps, isForQuestions: isQuestion };
  }

  /** A question needs no approval: it is a call for the client to run, and its output is the answer. */
  #carry(data: AskData, toolCallId: string): void {
    const { kind, call, state: _state, parent: _parent, task: _task, ...details } = data;
    const about = call === undefined ? undefined : (this.#calls.get(call) ?? this.#subagents.get(call));
    this.#writer.write({
      type: "tool-input-available",
      toolCallId,
      toolName: kind,
      title: data.title,
      input: {
        ...details,
        ...(call !== undefined && { toolCallId: call }),
        ...(about && { toolName: about.name, input: inputSoFar(about) }),
      },
      ...this.#dynamic,
    });
    if (kind === "question") return;
    this.#writer.write({ type: "tool-approval-request", approvalId: data.ask, toolCallId });
  }

  #close(ask: OpenAsk, event: EventOf<"ask.closed">): void {
    this.#open.delete(event.ask);
    const data: AskData = { ...ask.data, state: event.outcome, delivered: event.delivered };
    this.#tell(data);
    const isDeclined = event.outcome === "expired" || isRejection(data.answer?.effect);
    if (data.call !== undefined) this.#calls.closeAsk(data.call, event.ask, isDeclined);
    if (ask.carrier !== undefined) this.#settle(ask.carrier, data, isDeclined);
  }

  #settle(toolCallId: string, data: AskData, isDeclined: boolean): void {
    if (isDeclined && data.kind !== "question") {
      return this.#writer.write({ type: "tool-output-denied", toolCallId });
    }
    if (isDeclined || !data.answer) {
      const errorText = data.state === "answered" ? "declined" : data.state;
      return this.#writer.write({ type: "tool-output-error", toolCallId, errorText, ...this.#dynamic });
    }
    const output = data.kind === "question" ? (data.answer.answers ?? data.answer) : data.answer;
    this.#writer.write({ type: "tool-output-available", toolCallId, output, ...this.#dynamic });
  }

  #tell(data: AskData): void {
    this.#writer.write({ type: "data-ask", id: data.ask, data });
  }
}

/** An answer as clients see it. */
export function answerOf(event: EventOf<"ask.answered">): NonNullable<AskData["answer"]> {
  const { option, answers, message, input, effect, by } = event;
  return withoutUndefined({ option, answers, message, input, effect, by });
}
