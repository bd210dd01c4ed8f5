/** Makes appends for one session and remembers what the log must then hold. */
import type { EncodedEvent } from "../../core/encoded-event.ts";
import type { RawRecord } from "../../core/raw-record.ts";
import type { MessageRow, SessionAppend, SessionRow } from "../../core/store.ts";

export interface SampleBatch extends Partial<Omit<SessionAppend, "session" | "events" | "raws" | "row">> {
  /** How many events, or the text that each of them carries. */
  events?: number | readonly string[];
  /** How many raw records, or the data of each of them. */
  raws?: number | readonly RawRecord["data"][];
  row?: Partial<SessionRow>;
}

export class SampleSession {
  readonly id: string;
  readonly events: EncodedEvent[] = [];
  readonly raws: RawRecord[] = [];
  row: SessionRow;

  constructor(id: string, row: Partial<SessionRow> = {}) {
    this.id = id;
    this.row = {
      id,
      agent: "mock",
      cwd: "/tmp",
      status: "idle",
      createdAt: 1000,
      updatedAt: 1000,
      head: 0,
      rawHead: 0,
      openAsks: 0,
      queued: 0,
      attached: false,
      request: "{}",
      ...row,
    };
  }

  /** Makes the next append, which the sample then counts as written. */
  batch(content: SampleBatch = {}): SessionAppend {
    const { events = 0, raws = 0, row, ...rest } = content;
    const newEvents = listOf(events, "text").map((text) => this.#event(text));
    const newRaws = listOf(raws, '{"line":1}').map((data) => this.#raw(data));
    this.row = { ...this.row, ...row, head: this.events.length, rawHead: this.raws.length };
    return {
      session: this.id,
      events: newEvents,
      raws: newRaws,
      row: this.row,
      messages: [],
      asks: [],
      usage: [],
      ...rest,
    };
  }

  #event(text: string): EncodedEvent {
    const seq = this.events.length + 1;
    const json = JSON.stringify({
      session: this.id,
      seq,
      at: seq,
      type: "text.delta",
      part: "p",
      delta: text,
    });
    this.events.push({ seq, json });
    return { seq, json };
  }

  #raw(data: RawRecord["data"]): RawRecord {
    const rawSeq = this.raws.length + 1;
    const direction = typeof data === "string" ? (rawSeq % 2 === 0 ? "out" : "in") : "process";
    const raw: RawRecord = { rawSeq, direction, generation: 1, at: rawSeq, data };
    this.raws.push(raw);
    return raw;
  }
}

export function sampleMessage(id: string, row: Partial<MessageRow> = {}): MessageRow {
  return { id, role: "user", state: "done", firstSeq: 1, lastSeq: 1, ...row };
}

function listOf<Item>(given: number | readonly Item[], item: Item): readonly Item[] {
  return typeof given === "number" ? Array.from({ length: given }, () => item) : given;
}
