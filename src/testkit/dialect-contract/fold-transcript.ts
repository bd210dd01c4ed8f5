/** A log → its transcript, by the log's own fold of the conversation. */
import { shownFields } from "../../core/ask-update.ts";
import type { EventOf, SessionEvent } from "../../core/event.ts";
import { foldMessages } from "../../core/fold-messages.ts";
import type { MessageRecord } from "../../core/message-record.ts";
import type {
  AskPart,
  CallPart,
  CallResult,
  PartOrigin,
  SaidPart,
  Transcript,
  TranscriptMessage,
  TranscriptPart,
} from "./transcript.ts";

/** @example foldTranscript(log).map(({ role }) => role); // => ["user", "assistant"] */
export function foldTranscript(log: Iterable<SessionEvent>): Transcript {
  return foldMessages(log).map(messageOf);
}

function messageOf(record: MessageRecord): TranscriptMessage {
  const { id, role, at, turn, replyTo, checkpoint, parts = [], text = "", events = [] } = record;
  if (role === "user") return { id, role, at, turn, checkpoint, content: parts };
  if (role === "system") return { id, role, at, turn, content: [{ type: "text", text }] };
  const started = events.find((event) => event.type === "message.started");
  const end = events.findLast((event) => event.type === "turn.ended");
  const { outcome, error, delivery, usage, cost, durationMs, waitedMs } = end ?? {};
  const content = new ContentFold();
  for (const event of events) content.add(event);
  return {
    id,
    role,
    at,
    turn,
    replyTo,
    agent: started?.agent,
    model: end?.model ?? started?.model,
    outcome,
    error,
    delivery,
    usage,
    cost,
    durationMs,
    waitedMs,
    content: content.parts(),
  };
}

type Open<Part> = { -readonly [Field in keyof Part]: Part[Field] };
type ResultEvent = EventOf<"tool.output" | "tool.failed" | "tool.denied" | "tool.abandoned" | "tool.amended">;

class ContentFold {
  readonly #content: Open<TranscriptPart>[] = [];
  readonly #texts = new Map<string, Open<SaidPart>[]>();
  readonly #calls = new Map<string, Open<CallPart>>();
  readonly #called = new Set<string>();
  readonly #asks = new Map<string, Open<AskPart>>();
  readonly #plans = new Map<string, Open<Extract<TranscriptPart, { type: "plan" }>>>();
  #compaction: Open<Extract<TranscriptPart, { type: "compaction" }>> | undefined;

  parts(): TranscriptPart[] {
    return this.#content;
  }

  add(event: SessionEvent): void {
    switch (event.type) {
      case "text.start":
      case "reasoning.start":
      case "text.delta":
      case "reasoning.delta":
      case "text.end":
      case "reasoning.end":
        return this.#addText(event);
      case "tool.start": {
        const { call, name, title, kind, locations } = event;
        const part: Open<CallPart> = { type: "call", call, name, title, kind, locations, ...originOf(event) };
        this.#calls.set(call, part);
        this.#content.push(part);
        return;
      }
      case "tool.updated":
      case "tool.input":
      case "tool.output":
      case "tool.failed":
      case "tool.denied":
      case "tool.abandoned":
      case "tool.amended":
        return this.#addToCall(event);
      case "content.discarded":
        for (const part of event.parts)
          for (const text of this.#texts.get(part) ?? []) text.isDiscarded = true;
        for (const call of event.calls) {
          const part = this.#calls.get(call);
          if (part) part.isDiscarded = true;
        }
        return;
      case "ask.opened":
      case "ask.updated":
      case "ask.answered":
      case "ask.closed":
        return this.#addAsk(event);
      default:
        return this.#addOther(event);
    }
  }

  #addText(event: EventOf<`${"text" | "reasoning"}.${"start" | "delta" | "end"}`>): void {
    const { part } = event;
    const type = event.type.startsWith("text") ? "text" : "reasoning";
    if (event.type === "text.end" || event.type === "reasoning.end") {
      for (const text of this.#texts.get(part) ?? []) delete text.isOpen;
      return;
    }
    if (event.type === "text.start" || event.type === "reasoning.start") {
      const purpose = event.type === "text.start" ? event.purpose : undefined;
      return this.#addRun({ type, part, purpose, text: "", isOpen: true, ...originOf(event) });
    }
    const runs = this.#texts.get(part);
    const last = runs?.at(-1);
    if (!last) return;
    if (last === this.#content.at(-1)) last.text += event.delta;
    else this.#addRun({ ...last, text: event.delta });
  }

  #addRun(run: Open<SaidPart>): void {
    this.#texts.set(run.part!, [...(this.#texts.get(run.part!) ?? []), run]);
    this.#content.push(run);
  }

  #addToCall(event: EventOf<"tool.updated" | "tool.input"> | ResultEvent): void {
    const part = this.#calls.get(event.call);
    if (!part) return;
    switch (event.type) {
      case "tool.updated":
        part.name = event.name ?? part.name;
        part.title = event.title ?? part.title;
        part.kind = event.kind ?? part.kind;
        part.locations = event.locations ?? part.locations;
        part.isUpdated = true;
        return;
      case "tool.input":
        if (event.by !== undefined)
          part.edited = { by: event.by, proposed: part.edited?.proposed ?? part.input };
        part.input = event.input;
        return this.#tellCall(event.call);
      case "tool.amended":
        part.amended = resultOf(event);
        return;
      case "tool.output":
        if (event.preliminary) return;
    }
    this.#tellCall(event.call);
    part.result = resultOf(event);
  }

  #tellCall(call: string): void {
    const part = this.#calls.get(call);
    if (!part || this.#called.has(call)) return;
    this.#called.add(call);
    const { name, input } = part;
    this.#content.push({ type: "called", call, name, input, ...originOf(part) });
  }

  #addAsk(event: EventOf<`ask.${"opened" | "updated" | "answered" | "closed"}`>): void {
    if (event.type === "ask.opened") {
      const { ask, kind, call, title, description, options, questions, editable } = event;
      const { changes, detail, url, expiresAt } = event;
      const shown = {
        ask,
        kind,
        call,
        title,
        description,
        options,
        questions,
        editable,
        changes,
        detail,
        url,
        expiresAt,
      };
      const isBeside = event.turn === undefined || undefined;
      if (call !== undefined && !isBeside && this.#calls.get(call)?.parent === event.parent)
        this.#tellCall(call);
      const part: Open<AskPart> = { type: "ask", ...shown, state: "open", isBeside, ...originOf(event) };
      this.#asks.set(ask, part);
      this.#content.push(part);
      return;
    }
    const part = this.#asks.get(event.ask);
    if (!part) return;
    switch (event.type) {
      case "ask.updated":
        Object.assign(part, shownFields(event));
        return;
      case "ask.answered": {
        const { ask, option, effect, answers, message, input, by } = event;
        part.state = "answered";
        part.answer = { option, effect, answers, message, input, by };
        this.#content.push({ type: "answered", ask, isExpired: event.expired, ...originOf(event) });
        return;
      }
      case "ask.closed":
        part.state = event.outcome;
        part.delivered = event.delivered;
    }
  }

  #addOther(event: SessionEvent): void {
    switch (event.type) {
      case "file": {
        const { url, mediaType, filename } = event;
        this.#content.push({ type: "file", url, mediaType, filename, ...originOf(event) });
        return;
      }
      case "source": {
        const { id, url, title, mediaType, filename } = event;
        this.#content.push({ type: "source", id, url, title, mediaType, filename, ...originOf(event) });
        return;
      }
      case "file.edited": {
        const { path, kind, diff, from, call } = event;
        if (call !== undefined && event.turn !== undefined) this.#tellCall(call);
        this.#content.push({ type: "file_edit", path, kind, diff, from, call, ...originOf(event) });
        return;
      }
      case "notice": {
        const { level, code, text } = event;
        this.#content.push({ type: "notice", level, code, text, ...originOf(event) });
        return;
      }
      case "tool.summary": {
        const { calls, text } = event;
        this.#content.push({ type: "summary", calls, text, ...originOf(event) });
        return;
      }
      case "plan.updated":
        return this.#addPlan(event);
      case "compaction.started":
      case "compaction.ended":
        return this.#addCompaction(event);
    }
  }

  /** The last one counts, where the first stood. */
  #addPlan(event: EventOf<"plan.updated">): void {
    const known = this.#plans.get(event.parent ?? "");
    if (known) {
      Object.assign(known, { entries: event.entries, ...originOf(event) });
      return;
    }
    const part: Open<Extract<TranscriptPart, { type: "plan" }>> = {
      type: "plan",
      entries: event.entries,
      ...originOf(event),
    };
    this.#plans.set(event.parent ?? "", part);
    this.#content.push(part);
  }

  #addCompaction(event: EventOf<"compaction.started" | "compaction.ended">): void {
    if (event.type === "compaction.started") {
      this.#compaction = { type: "compaction", state: "started", trigger: event.trigger };
      this.#content.push(this.#compaction);
      return;
    }
    const { summary, tokensBefore, tokensAfter, skipped, error } = event;
    const known = this.#compaction;
    this.#compaction = undefined;
    const ended = { state: "ended" as const, summary, tokensBefore, tokensAfter, skipped, error };
    if (known) Object.assign(known, ended);
    else this.#content.push({ type: "compaction", ...ended });
  }
}

const STATES = {
  "tool.output": "done",
  "tool.failed": "failed",
  "tool.denied": "denied",
  "tool.abandoned": "abandoned",
} as const;

function resultOf(event: ResultEvent): CallResult {
  const error = "error" in event ? event.error : "reason" in event ? event.reason : undefined;
  const amendedState = error === undefined ? "done" : "failed";
  return {
    state: event.type === "tool.amended" ? amendedState : STATES[event.type],
    error,
    ...("output" in event && { output: event.output }),
    ...("truncatedFrom" in event && { truncatedFrom: event.truncatedFrom }),
    ...("exitCode" in event && { exitCode: event.exitCode }),
    ...("metadata" in event && { metadata: event.metadata }),
    ...("running" in event && event.running && { isRunning: true }),
  };
}

function originOf({ parent, task }: PartOrigin): PartOrigin {
  return { parent, task };
}
