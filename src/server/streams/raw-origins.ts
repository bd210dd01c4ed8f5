/** Puts the raw record that each event came from beside it, for the streams that want it. */
import { type EncodedEvent, eventOf } from "../../core/encoded-event.ts";
import type { SessionEvent } from "../../core/event.ts";
import type { Store } from "../../core/store.ts";
import type { TimeSlices } from "../../core/time-slices.ts";
import { readRawRange } from "../answers/raw-range.ts";
import { LogSlice } from "./log-slice.ts";

/** A larger record is left out. */
const MAX_RECORD_LENGTH = 1024 * 1024;
/** A larger record is put beside the first event that came from it, and not beside the others. */
const MAX_REPEATED_LENGTH = 16 * 1024;
/** Of all records of a slice; those that do not fit are left out. */
const MAX_SLICE_LENGTH = 8 * 1024 * 1024;

interface RawReads {
  store: Pick<Store, "readRaws">;
  slices: TimeSlices;
}

/** For one reader: what it gives depends on what it gave before. */
export class RawOrigins {
  readonly #reads: RawReads;
  readonly #session: string;
  #agentSessionId: string | undefined;
  /** The last record that was named. */
  #lastRaw = 0;

  constructor(reads: RawReads, session: string, agentSessionId?: string) {
    this.#reads = reads;
    this.#session = session;
    this.#agentSessionId = agentSessionId;
  }

  async add(slice: LogSlice): Promise<LogSlice> {
    const given = slice.events;
    const named = new Set(given.flatMap((encoded) => eventOf(encoded).raw ?? []));
    const records = named.size > 0 ? await this.#read(named) : new Map<number, string>();
    let room = MAX_SLICE_LENGTH;
    const events = given.map((encoded): EncodedEvent => {
      const event = eventOf(encoded);
      if ("agentSessionId" in event) this.#agentSessionId = event.agentSessionId ?? this.#agentSessionId;
      const record = this.#recordOf(event, records);
      if (record === undefined || record.length > room) return encoded;
      room -= record.length;
      const origin = `${record.slice(0, -1)}${this.#sessionField()}}`;
      return { seq: encoded.seq, json: `${encoded.json.slice(0, -1)},"rawRecord":${origin}}` };
    });
    return named.size > 0 ? new LogSlice(events) : slice;
  }

  async #read(named: ReadonlySet<number>): Promise<Map<number, string>> {
    const wanted = { first: Math.min(...named), last: Math.max(...named) };
    const { raws } = await readRawRange(this.#reads, this.#session, wanted, MAX_SLICE_LENGTH);
    const records = new Map<number, string>();
    for (const [rawSeq, raw] of raws) {
      // A line of an agent may have many megabytes: one that will be left out is not written first.
      const isTooLong = typeof raw.data === "string" && raw.data.length > MAX_RECORD_LENGTH;
      if (named.has(rawSeq) && !isTooLong) records.set(rawSeq, JSON.stringify(raw));
    }
    return records;
  }

  #recordOf({ raw }: SessionEvent, records: ReadonlyMap<number, string>): string | undefined {
    if (raw === undefined) return undefined;
    const isFirst = raw !== this.#lastRaw;
    this.#lastRaw = raw;
    const record = records.get(raw);
    const maxLength = isFirst ? MAX_RECORD_LENGTH : MAX_REPEATED_LENGTH;
    return record !== undefined && record.length <= maxLength ? record : undefined;
  }

  #sessionField(): string {
    if (this.#agentSessionId === undefined) return "";
    return `,"agentSessionId":${JSON.stringify(this.#agentSessionId)}`;
  }
}
