/**
 * What an agent says and does in a turn → AgentSmithy's events. Of segments and summaries one is open at a time: whatever
 * comes next closes it. Of what is finished nothing is remembered.
 */
import type { EventOf, SessionEvent } from "../../../core/event.ts";
import type { SegmentKind, SmithyEvent } from "../event.ts";
import { fileEdits } from "./file-edits.ts";

type TextEvent = EventOf<`${"text" | "reasoning"}.${"delta" | "end"}`>;

export class ContentEncoder {
  readonly #cwd: string;
  /** Calls that were not told yet, since their input is still missing, by id. */
  readonly #calls = new Map<string, string>();
  #segment: { kind: SegmentKind; part: string } | undefined;
  #isCompacting = false;
  #isSummaryOpen = false;
  #events: SmithyEvent[] = [];

  constructor(cwd: string) {
    this.#cwd = cwd;
  }

  /** The events it adds. Those of sub-agents add only the files they change. */
  add(event: SessionEvent): SmithyEvent[] {
    if (event.type === "file.edited") this.#addEdit(event);
    else if (!("parent" in event) || event.parent === undefined) this.#add(event);
    return this.#take();
  }

  /** Text of ours, as a segment of its own. */
  say(text: string): SmithyEvent[] {
    this.#close();
    this.#write({ type: "chat_start" }, { type: "chat", content: text }, { type: "chat_end" });
    return this.#take();
  }

  /** Closes what is open: it goes on in a segment of its own. */
  close(): SmithyEvent[] {
    this.#close();
    return this.#take();
  }

  /** Closes what is open and tells the calls whose input never came. */
  end(): SmithyEvent[] {
    this.#close();
    for (const call of this.#calls.keys()) this.#tellCall(call);
    return this.#take();
  }

  #add(event: SessionEvent): void {
    switch (event.type) {
      case "text.delta":
      case "text.end":
      case "reasoning.delta":
      case "reasoning.end":
        return this.#addText(event);
      case "tool.start":
        this.#calls.set(event.call, event.name);
        return;
      case "tool.updated":
        if (event.name !== undefined && this.#calls.has(event.call)) this.#calls.set(event.call, event.name);
        return;
      case "tool.input":
        return this.#tellCall(event.call, event.input);
      case "tool.output":
        return event.preliminary ? undefined : this.#tellCall(event.call);
      case "tool.failed":
      case "tool.denied":
      case "tool.abandoned":
        return this.#tellCall(event.call);
      case "ask.opened":
        return event.call === undefined ? undefined : this.#tellCall(event.call);
      case "compaction.started":
        this.#openSummary();
        this.#isCompacting = true;
        return;
      case "compaction.ended":
        // Some agents tell only that it is over.
        if (!this.#isCompacting) this.#openSummary();
        this.#isCompacting = false;
        if (this.#isSummaryOpen) this.#close();
        return;
    }
  }

  #addText(event: TextEvent): void {
    const kind = event.type === "text.delta" || event.type === "text.end" ? "chat" : "reasoning";
    const isOpen = this.#segment?.part === event.part && this.#segment.kind === kind;
    if (event.type === "text.end" || event.type === "reasoning.end") {
      if (isOpen) this.#close();
      return;
    }
    if (event.delta === "") return;
    if (!isOpen) {
      this.#close();
      this.#segment = { kind, part: event.part };
      this.#write({ type: `${kind}_start` });
    }
    this.#write({ type: kind, content: event.delta });
  }

  /** Each call once: with its input, or without when that is still missing at its end. */
  #tellCall(call: string, input?: unknown): void {
    const name = this.#calls.get(call);
    if (name === undefined) return;
    this.#calls.delete(call);
    this.#close();
    this.#write({ type: "tool_call", id: call, name, args: toArguments(input) });
  }

  #addEdit(event: EventOf<"file.edited">): void {
    if (event.call !== undefined) this.#tellCall(event.call);
    this.#close();
    this.#write(...fileEdits(event, this.#cwd));
  }

  #openSummary(): void {
    this.#close();
    this.#isSummaryOpen = true;
    this.#write({ type: "summary_start" });
  }

  #close(): void {
    if (this.#segment) this.#write({ type: `${this.#segment.kind}_end` });
    if (this.#isSummaryOpen) this.#write({ type: "summary_end" });
    this.#segment = undefined;
    this.#isSummaryOpen = false;
  }

  #write(...events: readonly SmithyEvent[]): void {
    this.#events.push(...events);
  }

  #take(): SmithyEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }
}

/** On this wire arguments are an object. */
function toArguments(input: unknown): Readonly<Record<string, unknown>> {
  if (input === undefined || input === null) return {};
  return typeof input === "object" && !Array.isArray(input) ? (input as Record<string, unknown>) : { input };
}
