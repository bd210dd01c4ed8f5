/** A message of the conversation → AgentSmithy's events of it, as its history has them: whole texts, and calls with their ids. */
import type { EventOf, SessionEvent } from "../../core/event.ts";
import type { MessageRecord } from "../../core/message-record.ts";
import { type PromptPart, promptText } from "../../core/prompt-part.ts";
import type { FileEditEvent, SegmentKind, ToolCallEvent } from "./event.ts";
import { answerText, askText, isAnswerable } from "./outbound/ask-text.ts";
import { ContentEncoder } from "./outbound/content.ts";

export type HistoryEvent =
  | { type: "user"; content: string; checkpoint?: string; idx: number }
  | { type: "chat"; content: string; idx: number }
  | { type: "reasoning"; content: string; model_name?: string }
  | ToolCallEvent
  | FileEditEvent;

export interface HistoryEntry {
  /** Where it begins in the log. Only users' and agents' texts show it, as `idx`. */
  readonly seq: number;
  readonly event: HistoryEvent;
}

export interface HistoryOptions {
  cwd: string;
  /** The address of the session on the page. */
  page: string;
  /** Whether messages may approve plans. */
  canApprovePlans: boolean;
  /** The checkpoint in force at this place of the log. */
  checkpointAt?(seq: number): string | undefined;
}

/** `position` is the seq at which the message entered the history. */
export function historyEntries(
  record: MessageRecord,
  position: number,
  options: HistoryOptions,
): HistoryEntry[] {
  if (record.role === "system") return [];
  if (record.role === "assistant") return new MessageHistory(options).entries(record);
  const { parts = [], checkpoint } = record;
  return [promptEntry(parts, position, checkpoint)];
}

/** A prompt of a person, also one that still waits. */
export function promptEntry(parts: readonly PromptPart[], seq: number, checkpoint?: string): HistoryEntry {
  return userEntry(promptText(parts), seq, checkpoint);
}

function userEntry(content: string, seq: number, checkpoint?: string): HistoryEntry {
  const event = { type: "user" as const, content, ...(checkpoint !== undefined && { checkpoint }), idx: seq };
  return { seq, event };
}

class MessageHistory {
  readonly #options: HistoryOptions;
  readonly #content: ContentEncoder;
  readonly #entries: HistoryEntry[] = [];
  #model: string | undefined;
  /** Those that messages may answer, by id. */
  readonly #asks = new Map<string, EventOf<"ask.opened">>();
  /** The text that is open. */
  #text: { kind: SegmentKind; seq: number; pieces: string[] } | undefined;

  constructor(options: HistoryOptions) {
    this.#options = options;
    this.#content = new ContentEncoder(options.cwd);
  }

  entries({ turn, events = [] }: MessageRecord): HistoryEntry[] {
    let last = 0;
    for (const event of events) {
      // What background work adds to a message after its turn is told by nobody while it happens, either.
      if (event.turn !== turn) continue;
      last = event.seq;
      this.#add(event);
    }
    this.#write(this.#content.end(), last);
    return this.#entries;
  }

  #add(event: SessionEvent): void {
    if (event.type === "message.started") this.#model = event.model;
    this.#write(this.#content.add(event), event.seq);
    if (event.type === "ask.opened") {
      if (isAnswerable(event)) this.#asks.set(event.ask, event);
      this.#write(this.#content.say(askText(event, this.#options)), event.seq);
    }
    if (event.type === "ask.answered" && !event.expired) this.#addAnswer(event);
  }

  /** In the words of the response to it. A text that was open is cut there, since pages go by places. */
  #addAnswer(event: EventOf<"ask.answered">): void {
    const asked = this.#asks.get(event.ask);
    if (!asked) return;
    const { seq } = event;
    this.#write(this.#content.close(), seq);
    this.#entries.push(userEntry(answerText(asked, event), seq, this.#options.checkpointAt?.(seq)));
  }

  #write(events: ReturnType<ContentEncoder["add"]>, seq: number): void {
    for (const event of events) {
      switch (event.type) {
        case "chat_start":
        case "reasoning_start":
          this.#text = { kind: event.type === "chat_start" ? "chat" : "reasoning", seq, pieces: [] };
          break;
        case "chat":
        case "reasoning":
          this.#text?.pieces.push(event.content);
          break;
        case "chat_end":
        case "reasoning_end":
          this.#endText();
          break;
        case "tool_call":
        case "file_edit":
          this.#entries.push({ seq, event });
      }
    }
  }

  #endText(): void {
    if (!this.#text) return;
    const { kind, seq, pieces } = this.#text;
    const content = pieces.join("");
    this.#text = undefined;
    if (kind === "chat") this.#entries.push({ seq, event: { type: "chat", content, idx: seq } });
    else
      this.#entries.push({
        seq,
        event: { type: "reasoning", content, ...(this.#model !== undefined && { model_name: this.#model }) },
      });
  }
}
