/**
 * Reads pages of a session's log: sealed blocks first, then the live tail. Each step looks for the piece that holds
 * the next number wanted, in one snapshot, so packing in the background can neither hide nor repeat an entry.
 */
import type { RawRecord } from "../../core/raw-record.ts";
import type { EncodedEvent, EventPage } from "../../core/store.ts";
import { unpack } from "../codec.ts";
import { PageBudget } from "../page.ts";
import { type BlockLines, readEventLines, type Span, splitLines, unpackBlock } from "./block.ts";
import type { BlockCache } from "./block-cache.ts";
import type { Connection } from "./connection.ts";
import { isStub, type RawLine } from "./raw-line.ts";

type Kind = "events" | "raws";

interface StoredBlock extends Span {
  id: number;
  codec: number;
}

interface TailPiece {
  first: number;
  format: number;
  text: string;
}

/** Lines of the log that follow each other; the first has the number `first`. */
interface Piece {
  first: number;
  lines: string[];
}

/** Takes one line into the page; false when the page is full. */
type Take = (line: string, number: number) => boolean;

const BLOCK = "SELECT id, first, last, raw_first, raw_last, format, codec FROM block";

export const SELECT_BLOCK: Record<Kind, string> = {
  events: `${BLOCK} WHERE session = ? AND last > ? ORDER BY last LIMIT 1`,
  raws: `${BLOCK} WHERE session = ? AND raw_last > ? ORDER BY raw_last LIMIT 1`,
};

export const SELECT_TAIL: Record<Kind, string> = {
  events: "SELECT first, format, events AS text FROM tail WHERE session = ? AND last > ? ORDER BY last",
  // No index of its own: the tail is short, and every index is paid for with each commit.
  raws: "SELECT raw_first AS first, format, raws AS text FROM tail WHERE session = ? AND raw_last > ? ORDER BY last, id",
};

const SELECT_DATA = "SELECT data FROM block WHERE id = ?";
const SELECT_BLOB = "SELECT codec, data FROM raw_blob WHERE session = ? AND raw_seq = ?";
const SELECT_HEADS = "SELECT id, head, raw_head FROM session WHERE key = ?";

export class LogReader {
  readonly #connection: Connection;
  readonly #cache: BlockCache;

  constructor(connection: Connection, cache: BlockCache) {
    this.#connection = connection;
    this.#cache = cache;
  }

  async readEvents(key: string, after: number, limit: number, maxBytes?: number): Promise<EventPage> {
    const session = this.#heads(key);
    if (!session) return { events: [], head: 0 };
    const budget = new PageBudget(limit, maxBytes);
    const events: EncodedEvent[] = [];
    await this.#read("events", session.id, { after, until: session.head }, budget, (json, seq) => {
      if (!budget.take(Buffer.byteLength(json))) return false;
      events.push({ seq, json });
      return true;
    });
    return { events, head: session.head };
  }

  async readRaws(key: string, after: number, limit: number, maxBytes?: number) {
    const session = this.#heads(key);
    if (!session) return { raws: [], head: 0 };
    const budget = new PageBudget(limit, maxBytes);
    const lines: RawLine[] = [];
    await this.#read("raws", session.id, { after, until: session.raw_head }, budget, (json) => {
      const line = JSON.parse(json) as RawLine;
      if (!budget.take(Buffer.byteLength(json) + (isStub(line) ? line.dataBytes : 0))) return false;
      lines.push(line);
      return true;
    });
    const raws: RawRecord[] = [];
    for (const line of lines) raws.push(isStub(line) ? await this.#withData(session.id, line) : line);
    return { raws, head: session.raw_head };
  }

  #heads(key: string) {
    return this.#connection.get<{ id: number; head: number; raw_head: number }>(SELECT_HEADS, key);
  }

  /** Gives the lines `after + 1` to `until` to `take`, until the budget is used up. */
  async #read(
    kind: Kind,
    session: number,
    range: { after: number; until: number },
    budget: PageBudget,
    take: Take,
  ) {
    let read = range.after;
    const takePiece = (piece: Piece): boolean => {
      if (piece.first > read + 1)
        throw new Error(`The log has a gap after ${kind} ${read}. Run \`interlingua db check\`.`);
      for (let index = read + 1 - piece.first; index < piece.lines.length; index += 1) {
        if (read >= range.until || !take(piece.lines[index] as string, read + 1)) return false;
        read += 1;
      }
      return read < range.until && !budget.full;
    };
    while (read < range.until && !budget.full) {
      const block = this.#connection.snapshot(() => {
        const found = this.#findBlock(kind, session, read);
        if (!found) this.#readTail(kind, session, read, takePiece);
        return found;
      });
      if (!block || !takePiece(await this.#unpack(kind, block))) return;
    }
  }

  #findBlock(kind: Kind, session: number, after: number) {
    const block = this.#connection.get<StoredBlock>(SELECT_BLOCK[kind], session, after);
    if (!block) return undefined;
    const cached = this.#cache.get(block.id);
    const data = cached ? undefined : this.#connection.get<{ data: Uint8Array }>(SELECT_DATA, block.id)?.data;
    return { block, cached, data };
  }

  async #unpack(
    kind: Kind,
    found: { block: StoredBlock; cached?: BlockLines; data?: Uint8Array },
  ): Promise<Piece> {
    const { block, cached, data } = found;
    const lines = cached ?? (await unpackBlock(block, data as Uint8Array, block.codec));
    if (!cached) this.#cache.set(block.id, lines);
    return { first: kind === "events" ? block.first : block.raw_first, lines: lines[kind] };
  }

  #readTail(kind: Kind, session: number, after: number, takePiece: (piece: Piece) => boolean): void {
    for (const row of this.#connection.iterate<TailPiece>(SELECT_TAIL[kind], session, after)) {
      const lines = splitLines(row.text);
      const piece = {
        first: row.first,
        lines: kind === "events" ? readEventLines(lines, row.format) : lines,
      };
      if (!takePiece(piece)) return;
    }
  }

  async #withData(session: number, stub: RawLine): Promise<RawRecord> {
    const { dataBytes: _, ...rest } = stub as RawLine & { dataBytes: number };
    const blob = this.#connection.get<{ codec: number; data: Uint8Array }>(SELECT_BLOB, session, stub.rawSeq);
    if (!blob) throw new Error(`Raw record ${stub.rawSeq} has lost its data. Run \`interlingua db check\`.`);
    return { ...rest, data: JSON.parse(await unpack(blob.data, blob.codec)) } as RawRecord;
  }
}
