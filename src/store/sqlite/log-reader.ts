/**
 * Reads pages of a session's log: sealed blocks first, then the live tail. Each step looks for the piece that holds
 * the next number wanted, in one snapshot, so packing in the background can neither hide nor repeat an entry.
 */
import type { RawRecord } from "../../core/raw-record.ts";
import type { EncodedEvent, EventPage } from "../../core/store.ts";
import { unpack } from "../codec.ts";
import { PageBudget } from "../page.ts";
import { type BlockLines, type Span, splitLines, unpackBlock, upcastLines } from "./block.ts";
import type { BlockCache } from "./block-cache.ts";
import type { Connection } from "./connection.ts";
import { isStub, type RawLine, type RawStub, readRawLine } from "./raw-line.ts";

type Kind = "events" | "raws";

/** Which entries: those after `after`, up to and with `until`. */
interface Range {
  kind: Kind;
  session: number;
  after: number;
  until: number;
}

/** Lines of the log that follow each other; the first has the number `first`. */
interface Piece {
  first: number;
  lines: string[];
}

/** Gets one line; false when no more are wanted. */
type Take = (line: string, number: number) => boolean;

interface StoredBlock extends Span {
  id: number;
  codec: number;
}

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
    await this.#read({ kind: "events", session: session.id, after, until: session.head }, (json, seq) => {
      if (!budget.takeText(json)) return false;
      events.push({ seq, json });
      return !budget.full;
    });
    return { events, head: session.head };
  }

  async readRaws(key: string, after: number, limit: number, maxBytes?: number) {
    const session = this.#heads(key);
    if (!session) return { raws: [], head: 0 };
    const budget = new PageBudget(limit, maxBytes);
    const lines: RawLine[] = [];
    await this.#read({ kind: "raws", session: session.id, after, until: session.raw_head }, (text) => {
      const line = readRawLine(text);
      if (!budget.takeText(text, isStub(line) ? line.dataBytes : 0)) return false;
      lines.push(line);
      return !budget.full;
    });
    const raws: RawRecord[] = [];
    for (const line of lines) raws.push(isStub(line) ? await this.#withData(session.id, line) : line);
    return { raws, head: session.raw_head };
  }

  #heads(key: string) {
    return this.#connection.get<{ id: number; head: number; raw_head: number }>(SELECT_HEADS, key);
  }

  async #read(range: Range, take: Take): Promise<void> {
    const { kind, session, until } = range;
    let read = range.after;
    const takePiece = ({ first, lines }: Piece): boolean => {
      const start = read + 1 - first;
      if (start < 0 || start >= lines.length) {
        throw new Error(`The log has a gap in its ${kind} after ${read}. Run \`interlingua db check\`.`);
      }
      for (let index = start; index < lines.length && read < until; index += 1) {
        read += 1;
        if (!take(lines[index] as string, read)) return false;
      }
      return read < until;
    };
    let goOn = read < until;
    while (goOn) {
      const block = this.#connection.snapshot(() => {
        const found = this.#findBlock(kind, session, read);
        if (!found) this.#readTail(kind, session, read, takePiece);
        return found;
      });
      goOn = block !== undefined && takePiece(await block);
    }
  }

  #findBlock(kind: Kind, session: number, after: number): Promise<Piece> | undefined {
    const block = this.#connection.get<StoredBlock>(SELECT_BLOCK[kind], session, after);
    if (!block) return undefined;
    const first = kind === "events" ? block.first : block.raw_first;
    return this.#unpack(block).then((lines) => ({ first, lines: lines[kind] }));
  }

  /** Reads what it needs of the database before it first waits: the snapshot is still open then. */
  async #unpack(block: StoredBlock): Promise<BlockLines> {
    const cached = this.#cache.get(block.id);
    if (cached) return cached;
    const { data } = this.#connection.get<{ data: Uint8Array }>(SELECT_DATA, block.id)!;
    const lines = await unpackBlock(block, data, block.codec);
    this.#cache.set(block.id, lines);
    return lines;
  }

  #readTail(kind: Kind, session: number, after: number, takePiece: (piece: Piece) => boolean): void {
    const rows = this.#connection.iterate<{ first: number; format: number; text: string }>(
      SELECT_TAIL[kind],
      session,
      after,
    );
    for (const { first, format, text } of rows) {
      // A commit may have only the other kind.
      if (text === "") continue;
      const lines = splitLines(text);
      if (!takePiece({ first, lines: kind === "events" ? upcastLines(lines, format) : lines })) return;
    }
  }

  async #withData(session: number, stub: RawStub): Promise<RawRecord> {
    const { dataBytes: _, ...rest } = stub;
    const blob = this.#connection.get<{ codec: number; data: Uint8Array }>(SELECT_BLOB, session, stub.rawSeq);
    if (!blob) throw new Error(`Raw record ${stub.rawSeq} has lost its data. Run \`interlingua db check\`.`);
    return { ...rest, data: JSON.parse(await unpack(blob.data, blob.codec)) as RawRecord["data"] };
  }
}
