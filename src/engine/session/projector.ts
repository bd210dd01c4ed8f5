/**
 * The projections of a session's log that are stored beside it: messages, asks, usage, search text. Fed event by
 * event as they are made, and collected with every commit, so that they change in the same transaction as the log.
 */
import { isRejection } from "../../core/ask.ts";
import { type UpdatedAsk, updateAsk } from "../../core/ask-update.ts";
import type { EventOf, SessionEvent } from "../../core/event.ts";
import { MessageIndex } from "../../core/message-index.ts";
import { MESSAGE_FOLD_VERSION, MessageEvents, type MessageRecord } from "../../core/message-record.ts";
import { MAX_MESSAGE_TEXT, MessageText } from "../../core/message-text.ts";
import { promptSize, promptText } from "../../core/prompt-part.ts";
import type { SessionState } from "../../core/session-state.ts";
import type { AskRow, MessageRow, SearchText, SessionAppend, UsageIncrement } from "../../core/store.ts";
import { addUsage } from "../../core/usage.ts";
import type { PromptContents } from "../prompts/prompt-contents.ts";

/** A larger message is not kept in memory while it streams, nor stored; it is folded from the log when somebody reads it. */
const MAX_RECORD_LENGTH = 8 * 1024 * 1024;

const MAX_SEARCH_TEXT = 2000;

/** An event with its size as JSON, in characters. */
export interface SizedEvent {
  event: SessionEvent;
  bytes: number;
}

type Projections = Pick<
  SessionAppend,
  "messages" | "asks" | "usage" | "amended" | "rewound" | "searchText" | "texts"
>;

type AskEvent = EventOf<"ask.opened" | "ask.updated" | "ask.answered" | "ask.closed">;

interface OpenMessage {
  row: MessageRow;
  record: MessageRecord;
  events: MessageEvents;
  text: MessageText;
  /** Whether it has a question or a plan that is not searched yet. */
  hasNewAsk: boolean;
  isTooLarge: boolean;
}

export class Projector {
  /** Prompts that wait, or were steered and may come back. */
  readonly #prompts = new Map<string, MessageRow>();
  readonly #contents: PromptContents;
  /** Who sent the prompts that were accepted since the session was loaded. */
  readonly #senders = new Map<string, string | undefined>();
  /** Asks that are not closed yet, to change their rows later. */
  readonly #openAsks = new Map<string, AskRow>();
  readonly #index = new MessageIndex();
  #amended = new Map<string, number>();
  #open: OpenMessage | undefined;
  #messages = new Map<string, MessageRow>();
  #asks = new Map<string, AskRow>();
  /** By day and model. */
  #usage = new Map<string, UsageIncrement>();
  /** The model in force, as far as it is known. */
  #model: string | undefined;
  #rewound: { before: string; seq: number }[] = [];
  #searchText = "";
  #texts: SearchText[] = [];

  /**
   * Restores what an earlier daemon had in progress: the rows of waiting prompts, and the events of the streaming
   * message.
   */
  static async create(
    state: SessionState,
    contents: PromptContents,
    prompts: readonly MessageRow[],
    events: AsyncIterable<SizedEvent>,
  ): Promise<Projector> {
    const projector = new Projector(state, contents, prompts);
    for await (const { event, bytes } of events) projector.#takeUp(event, bytes);
    projector.collect();
    return projector;
  }

  constructor(state: SessionState, contents: PromptContents, prompts: readonly MessageRow[] = []) {
    this.#contents = contents;
    this.#model = state.turn?.model ?? state.model;
    for (const row of prompts) this.#prompts.set(row.id, row);
    for (const { opened, answered } of state.asks.values()) {
      this.#addAsk(opened);
      if (answered) this.#addAsk(answered);
    }
    this.collect();
  }

  #takeUp(event: SessionEvent, bytes: number): void {
    if (event.type === "message.started") this.#startMessage(event, bytes);
    else if (this.#index.messageOf(event) === this.#open?.row.id) this.#addToOpen(event, bytes);
  }

  /** The usage of a copy is counted where it happened. */
  add(event: SessionEvent, bytes: number, isCopy = false): void {
    this.#noteModel(event);
    switch (event.type) {
      case "prompt.accepted": {
        const row: MessageRow = {
          id: event.message,
          role: "user",
          state: "queued",
          firstSeq: event.seq,
          lastSeq: event.seq,
        };
        this.#contents.keep(event.message, event.parts);
        this.#senders.set(event.message, event.by);
        this.#prompts.set(event.message, row);
        this.#messages.set(row.id, row);
        return;
      }
      case "prompt.changed":
        this.#contents.keep(event.message, event.parts);
        return this.#changePrompt(event, {});
      case "prompt.withdrawn":
        this.#changePrompt(event, { state: "withdrawn" });
        this.#prompts.delete(event.message);
        this.#contents.drop(event.message);
        this.#senders.delete(event.message);
        return;
      case "prompt.dispatched":
        return this.#addUserMessage(event);
      case "prompt.returned":
        return this.#changePrompt(event, {
          state: "queued",
          position: undefined,
          turn: undefined,
          record: undefined,
        });
      case "prompt.received":
        return;
      case "message.system":
        this.#messages.set(event.message, {
          id: event.message,
          role: "system",
          state: "done",
          firstSeq: event.seq,
          lastSeq: event.seq,
          position: event.seq,
          turn: event.turn,
          foldVersion: MESSAGE_FOLD_VERSION,
          record: { id: event.message, role: "system", at: event.at, turn: event.turn, text: event.text },
        });
        return this.#addText(event.message, event.at, event.text);
      case "message.started":
        this.#finishMessage();
        return this.#startMessage(event, bytes);
      case "conversation.rewound":
        this.#rewound.push({ before: event.before, seq: event.seq });
        return;
      case "session.created":
      case "session.updated":
        if (event.title !== undefined) this.#addSearchText(event.title);
        return;
    }
    this.#addContent(event, this.#index.messageOf(event), bytes);
    if (!isCopy) this.#count(event);
    if (isAskEvent(event)) this.#addAsk(event);
    if (event.type !== "turn.ended") return;
    this.#finishMessage();
    // Steered prompts can no longer come back.
    for (const [id, row] of this.#prompts) if (row.state === "done") this.#prompts.delete(id);
  }

  /** Returns what changed since the last call. */
  collect(): Projections {
    this.#addTextWithAsks();
    const projections: Projections = {
      messages: [...this.#messages.values()],
      asks: [...this.#asks.values()],
      usage: [...this.#usage.values()],
      amended: [...this.#amended].map(([message, seq]) => ({ message, seq })),
      rewound: this.#rewound,
      searchText: this.#searchText || undefined,
      ...(this.#texts.length > 0 && { texts: this.#texts }),
    };
    this.#messages = new Map();
    this.#asks = new Map();
    this.#usage = new Map();
    this.#amended = new Map();
    this.#rewound = [];
    this.#searchText = "";
    this.#texts = [];
    return projections;
  }

  #addUserMessage(event: EventOf<"prompt.dispatched">): void {
    const { message: id, at, turn, checkpoint } = event;
    const parts = this.#contents.kept(id);
    if (parts) {
      const text = promptText(parts);
      this.#addSearchText(text);
      this.#addText(id, at, text);
    }
    const by = this.#senders.get(id);
    // Otherwise it is folded from the log when it is wanted.
    const isKept = parts !== undefined && this.#senders.has(id) && promptSize(parts) <= MAX_RECORD_LENGTH;
    this.#changePrompt(event, {
      state: "done",
      position: event.seq,
      turn,
      ...(isKept && {
        foldVersion: MESSAGE_FOLD_VERSION,
        record: { id, role: "user", at, turn, parts: [...parts], by, checkpoint },
      }),
    });
    this.#contents.drop(id);
    this.#senders.delete(id);
    if (!event.steered) this.#prompts.delete(event.message);
  }

  #changePrompt(event: { message: string; seq: number }, change: Partial<MessageRow>): void {
    const prompt = this.#prompts.get(event.message);
    if (!prompt) return;
    const row = { ...prompt, ...change, lastSeq: event.seq };
    this.#prompts.set(event.message, row);
    this.#messages.set(event.message, row);
  }

  #startMessage(event: EventOf<"message.started">, bytes: number): void {
    const row: MessageRow = {
      id: event.message,
      role: "assistant",
      state: "streaming",
      firstSeq: event.seq,
      lastSeq: event.seq,
      position: event.seq,
      turn: event.turn,
    };
    this.#messages.set(row.id, row);
    const { message: id, at, turn, replyTo } = event;
    const events = new MessageEvents();
    events.add(event, bytes);
    const record: MessageRecord = { id, role: "assistant", at, turn, replyTo };
    this.#open = { row, record, events, text: new MessageText(), hasNewAsk: false, isTooLarge: false };
  }

  #addContent(event: SessionEvent, message: string | undefined, bytes: number): void {
    if (message === undefined) return;
    if (message === this.#open?.row.id) return this.#addToOpen(event, bytes);
    // Late content of a finished message: its stored record will be folded again.
    const row = this.#messages.get(message);
    if (row) Object.assign(row, { lastSeq: event.seq, record: undefined, foldVersion: undefined });
    else this.#amended.set(message, event.seq);
  }

  #addToOpen(event: SessionEvent, bytes: number): void {
    const open = this.#open!;
    open.row.lastSeq = event.seq;
    const { length } = open.text;
    open.text.add(event);
    if (isAskEvent(event) && open.text.length !== length) open.hasNewAsk = true;
    if (open.isTooLarge) return;
    open.events.add(event, bytes);
    if (open.events.bytes <= MAX_RECORD_LENGTH) return;
    open.isTooLarge = true;
    open.events.clear();
  }

  #finishMessage(): void {
    const open = this.#open;
    if (!open) return;
    this.#open = undefined;
    this.#addText(open.row.id, open.record.at, String(open.text));
    this.#messages.set(open.row.id, {
      ...open.row,
      state: "done",
      ...(!open.isTooLarge && {
        record: { ...open.record, events: open.events.all() },
        foldVersion: MESSAGE_FOLD_VERSION,
      }),
    });
  }

  #addAsk(event: AskEvent): void {
    const row = this.#asks.get(event.ask) ?? this.#openAsks.get(event.ask);
    if (event.type === "ask.opened") {
      const opened: AskRow = {
        ask: event.ask,
        kind: event.kind,
        state: "open",
        openedSeq: event.seq,
        openedAt: event.at,
        expiresAt: event.expiresAt,
        opened: JSON.stringify(event),
      };
      this.#openAsks.set(event.ask, opened);
      this.#asks.set(event.ask, opened);
      return;
    }
    if (!row) return;
    const changed = changedAsk(row, event);
    this.#asks.set(event.ask, changed);
    if (event.type === "ask.closed") this.#openAsks.delete(event.ask);
    else this.#openAsks.set(event.ask, changed);
  }

  #count(event: SessionEvent): void {
    switch (event.type) {
      case "usage": {
        const day = this.#day(event.at, event.model);
        day.usage = addUsage(day.usage, event);
        day.cost += event.cost ?? 0;
        return;
      }
      case "turn.ended": {
        const day = this.#day(event.at, event.model);
        day.turns += 1;
        day.durationMs += event.durationMs;
        day.waitedMs += event.waitedMs ?? 0;
        return;
      }
      case "tool.start":
        this.#day(event.at).tools += 1;
        return;
      case "ask.opened":
        this.#day(event.at).asks += 1;
        return;
      case "ask.answered":
        if (isAllowed(event)) this.#day(event.at).allowed += 1;
        else if (isRejection(event.effect)) this.#day(event.at).denied += 1;
        return;
    }
  }

  #day(at: number, model = this.#model): UsageIncrement {
    const day = new Date(at).toISOString().slice(0, 10);
    const place = `${day} ${model ?? ""}`;
    const known = this.#usage.get(place);
    if (known) return known;
    const counts = {
      cost: 0,
      turns: 0,
      durationMs: 0,
      waitedMs: 0,
      tools: 0,
      asks: 0,
      allowed: 0,
      denied: 0,
    };
    const fresh: UsageIncrement = { day, ...(model && { model }), usage: {}, ...counts };
    this.#usage.set(place, fresh);
    return fresh;
  }

  #noteModel(event: SessionEvent): void {
    switch (event.type) {
      case "session.created":
      case "session.attached":
      case "session.updated":
      case "message.started":
        this.#model = event.model ?? this.#model;
    }
  }

  /** A person may look for what they are asked before the message ends. */
  #addTextWithAsks(): void {
    if (!this.#open?.hasNewAsk) return;
    this.#open.hasNewAsk = false;
    const { record, text } = this.#open;
    this.#addText(record.id, record.at, String(text));
  }

  #addText(message: string, at: number, text: string): void {
    if (text !== "") this.#texts.push({ message, at, text: text.slice(0, MAX_MESSAGE_TEXT) });
  }

  #addSearchText(text: string): void {
    const beginning = text.slice(0, MAX_SEARCH_TEXT);
    this.#searchText = `${this.#searchText} ${beginning}`.trim().slice(0, MAX_SEARCH_TEXT);
  }
}

function isAllowed({ effect }: EventOf<"ask.answered">): boolean {
  return effect === "once" || effect === "always";
}

function isAskEvent(event: SessionEvent): event is AskEvent {
  return event.type.startsWith("ask.");
}

function changedAsk(row: AskRow, event: Exclude<AskEvent, { type: "ask.opened" }>): AskRow {
  switch (event.type) {
    case "ask.updated": {
      const opened = JSON.parse(row.opened) as UpdatedAsk;
      return { ...row, opened: JSON.stringify(updateAsk(opened, event)) };
    }
    case "ask.answered":
      return { ...row, state: "answered", answered: JSON.stringify(event) };
    case "ask.closed":
      return { ...row, state: "closed", outcome: event.outcome };
  }
}
