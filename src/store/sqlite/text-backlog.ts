/**
 * Adds the texts of messages that an older version stored, and questions and plans to texts without them, for the search: in the
 * background, newest first, a few in each
 * write. A daemon that stops goes on from there at its next start.
 */
import { setTimeout } from "node:timers/promises";
import { eventOf } from "../../core/encoded-event.ts";
import { MessageIndex } from "../../core/message-index.ts";
import type { MessageRecord } from "../../core/message-record.ts";
import { MAX_MESSAGE_TEXT, MessageText } from "../../core/message-text.ts";
import { promptText } from "../../core/prompt-part.ts";
import type { EventPage, MessageRow, SearchText } from "../../core/store.ts";
import { isDamage } from "../damaged-data.ts";
import type { Connection } from "./connection.ts";
import { completeText, isTextIncomplete } from "./message-texts.ts";
import { assertMessage, type NumberedMessage, readMessage, SELECT_MESSAGES_BEFORE } from "./messages.ts";
import { findLogByNumber } from "./session-row.ts";

const SELECT_BACKLOG = "SELECT before FROM text_backlog";
const MOVE_ON = "UPDATE text_backlog SET before = ?";
const CLEAR = "DELETE FROM text_backlog";

const MESSAGES_PER_WRITE = 20;
/** So that the daemon has more time for everything else than for this. */
const PAUSE_MS = 20;

/** A message whose record is not stored is read from the log; its text stands near its beginning. */
const MAX_EVENTS_READ = 10_000;
const EVENTS_PER_PAGE = 1000;
const BYTES_PER_PAGE = 4 * 1024 * 1024;

export interface TextBacklogOptions {
  readEvents(session: string, after: number, limit: number, maxBytes: number): Promise<EventPage>;
  /** Runs an action when no other write is under way. */
  write(action: () => void): Promise<void>;
  /** Called with how many texts were written. */
  onTexts(count: number): void;
  /** Called if it cannot go on. What is missing is added after the next start. */
  onError?(error: unknown): void;
  pauseMs?: number;
}

interface FoundText extends SearchText {
  session: number;
}

export class TextBacklog {
  readonly #connection: Connection;
  readonly #options: TextBacklogOptions;
  readonly #stop = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(connection: Connection, options: TextBacklogOptions) {
    this.#connection = connection;
    this.#options = options;
  }

  /** Does nothing where nothing is missing. */
  start(): void {
    this.#running = this.#run().catch((error: unknown) => {
      if (!this.#stop.signal.aborted) this.#options.onError?.(error);
    });
  }

  /** Idempotent. */
  async finish(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    for (;;) {
      const backlog = this.#connection.get<{ before: number }>(SELECT_BACKLOG);
      if (!backlog) return;
      await setTimeout(this.#options.pauseMs ?? PAUSE_MS, undefined, { ref: false, signal });
      await this.#addSome(backlog.before);
    }
  }

  async #addSome(before: number): Promise<void> {
    const messages = this.#connection.all<NumberedMessage>(
      SELECT_MESSAGES_BEFORE,
      before,
      MESSAGES_PER_WRITE,
    );
    const texts: FoundText[] = [];
    for (const message of messages) {
      if (this.#stop.signal.aborted) return;
      if (!isTextIncomplete(this.#connection, message.session, message.id)) continue;
      const text = await this.#read(message);
      if (text) texts.push({ ...text, session: message.session });
    }
    const last = messages.at(-1)?.number;
    await this.#options.write(() =>
      this.#connection.transaction(() => {
        for (const { session, ...text } of texts) completeText(this.#connection, session, text);
        if (last === undefined) this.#connection.run(CLEAR);
        else this.#connection.run(MOVE_ON, last);
      }),
    );
    this.#options.onTexts(texts.length);
  }

  /** Undefined where nothing was said, or nothing can be read. */
  async #read(message: NumberedMessage): Promise<SearchText | undefined> {
    try {
      assertMessage(message.session, message);
      const session = findLogByNumber(this.#connection, message.session);
      const row = session && (await readMessage(this.#connection, session.id, message.id, () => {}));
      if (!row) return undefined;
      const found = row.record ? textOfRecord(row.record) : await this.#readLog(session.key, row);
      return found && found.text !== "" ? { message: message.id, ...found } : undefined;
    } catch (error) {
      if (isDamage(error)) return undefined;
      throw error;
    }
  }

  async #readLog(
    session: string,
    { id, firstSeq, lastSeq }: MessageRow,
  ): Promise<Omit<SearchText, "message"> | undefined> {
    const index = new MessageIndex();
    const text = new MessageText();
    let prompt: string | undefined;
    let at: number | undefined;
    const end = Math.min(lastSeq, firstSeq + MAX_EVENTS_READ);
    for (let after = firstSeq - 1; after < end; ) {
      const { events } = await this.#options.readEvents(session, after, EVENTS_PER_PAGE, BYTES_PER_PAGE);
      if (events.length === 0) break;
      for (const event of events.map(eventOf)) {
        after = event.seq;
        if (after > end || index.messageOf(event) !== id) continue;
        at ??= event.at;
        if (event.type === "prompt.accepted" || event.type === "prompt.changed")
          prompt = promptText(event.parts);
        if (event.type === "message.system") prompt = event.text;
        text.add(event);
      }
    }
    return at === undefined ? undefined : { at, text: (prompt ?? String(text)).slice(0, MAX_MESSAGE_TEXT) };
  }
}

function textOfRecord({ at, parts, text = "", events = [] }: MessageRecord): Omit<SearchText, "message"> {
  if (parts) return { at, text: promptText(parts).slice(0, MAX_MESSAGE_TEXT) };
  const said = new MessageText();
  for (const event of events) said.add(event);
  return { at, text: (text || String(said)).slice(0, MAX_MESSAGE_TEXT) };
}
