/**
 * Reads pages of a session's log: sealed blocks first, then the live tail. Each step looks for the piece that holds
 * the next number wanted, in one snapshot, so packing in the background can neither hide nor repeat an entry.
 */
import type { EncodedEvent } from "../../core/encoded-event.ts";
import type { RawRecord } from "../../core/raw-record.ts";
import type { EventPage } from "../../core/store.ts";
import { DamagedDataError } from "../damaged-data.ts";
import { type Span, splitLines, unpackBlock, upcastLines } from "../format/block.ts";
import type { BlockCache, CachedBlock } from "../format/block-cache.ts";
import type { StoredContent } from "../format/packed-content.ts";
import { isStub, type RawLine, type RawStub, readRawLine } from "../format/raw-line.ts";
import { PageBudget } from "../page.ts";
import type { Connection } from "./connection.ts";
import { readRawBlob } from "./raw-blob.ts";
import { findLog, findLogByNumber } from "./session-row.ts";
import { assertTailEvents, assertTailRaws, type TailEvents, type TailRaws } from "./tail-row.ts";

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

/** Takes one line; returns false when no more are wanted. */
type Take = (line: string, number: number) => boolean;

/** A block as found: cached, or still packed in its row. */
type FoundBlock = CachedBlock | { id: number; span: Span; content: StoredContent };

const BLOCK = "SELECT id, first, last, raw_first, raw_last, format FROM block";

export const SELECT_BLOCK: Record<Kind, string> = {
  events: `${BLOCK} WHERE session = ? AND last > ? ORDER BY last LIMIT 1`,
  raws: `${BLOCK} WHERE session = ? AND raw_last > ? ORDER BY raw_last LIMIT 1`,
};

export const SELECT_TAIL: Record<Kind, string> = {
  events:
    "SELECT first, last, format, events, events_checksum FROM tail WHERE session = ? AND last > ? ORDER BY last",
  // No index: the tail is short, and every commit would pay for it.
  raws: "SELECT raw_first, raw_last, raws, raws_checksum FROM tail WHERE session = ? AND raw_last > ? ORDER BY last, id",
};

const SELECT_CONTENT = "SELECT codec, data, checksum FROM block WHERE id = ?";

export class SqliteLog {
  readonly #connection: Connection;
  readonly #cache: BlockCache;

  constructor(connection: Connection, cache: BlockCache) {
    this.#connection = connection;
    this.#cache = cache;
  }

  async readEvents(key: string, after: number, limit: number, maxBytes?: number): Promise<EventPage> {
    const session = findLog(this.#connection, key);
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
    const session = findLog(this.#connection, key);
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

  async #read(range: Range, take: Take): Promise<void> {
    const { kind, session, until } = range;
    let read = range.after;
    let goOn = read < until;
    const takePiece = ({ first, lines }: Piece): void => {
      const start = read + 1 - first;
      if (start < 0 || start >= lines.length) throw gapAfter(kind, read);
      for (let index = start; index < lines.length && goOn; index += 1) {
        read += 1;
        goOn = take(lines[index] as string, read) && read < until;
      }
    };
    while (goOn) {
      const block = this.#connection.snapshot(() => {
        const found = this.#findBlock(kind, session, read);
        if (found) return found;
        for (const piece of this.#tailPieces(kind, session, read)) {
          takePiece(piece);
          if (!goOn) break;
        }
        // Nothing comes after the tail; the session may have been deleted since its head was read.
        if (goOn && findLogByNumber(this.#connection, session)) throw gapAfter(kind, read);
        return undefined;
      });
      if (!block) return;
      // Outside the snapshot, inside which nothing may wait or fail unnoticed.
      const { first, raw_first, lines } = await this.#unpack(session, block);
      takePiece({ first: kind === "events" ? first : raw_first, lines: lines[kind] });
    }
  }

  #findBlock(kind: Kind, session: number, after: number): FoundBlock | undefined {
    const found = this.#connection.get<Span & { id: number }>(SELECT_BLOCK[kind], session, after);
    if (!found) return undefined;
    const cached = this.#cache.get(found.id);
    if (cached) return cached;
    const { id, ...span } = found;
    const content = this.#connection.get<StoredContent>(SELECT_CONTENT, id);
    if (!content) throw new DamagedDataError("an index names a block that is not there");
    return { id, span, content };
  }

  async #unpack(session: number, block: FoundBlock): Promise<CachedBlock> {
    if ("lines" in block) {
      // A damaged index can lead to a block of another session.
      if (block.session !== session) throw new DamagedDataError("a block of another session is in its place");
      return block;
    }
    const { id, span, content } = block;
    const lines = await unpackBlock(session, span, content);
    const { checksum } = content;
    const unpacked = { session, first: span.first, raw_first: span.raw_first, checksum, lines };
    this.#cache.set(id, unpacked);
    return unpacked;
  }

  *#tailPieces(kind: Kind, session: number, after: number): Generator<Piece> {
    const rows = this.#connection.iterate<TailEvents & TailRaws>(SELECT_TAIL[kind], session, after);
    for (const row of rows) {
      if (kind === "events") {
        assertTailEvents(session, row);
        // A commit may have only the other kind.
        if (row.events !== "")
          yield { first: row.first, lines: upcastLines(splitLines(row.events), row.format) };
      } else {
        assertTailRaws(session, row);
        if (row.raws !== "") yield { first: row.raw_first, lines: splitLines(row.raws) };
      }
    }
  }

  async #withData(session: number, stub: RawStub): Promise<RawRecord> {
    const { dataBytes: _, ...rest } = stub;
    return { ...rest, data: await readRawBlob(this.#connection, session, stub.rawSeq) };
  }
}

function gapAfter(kind: Kind, number: number): DamagedDataError {
  return new DamagedDataError(`its log has a gap in its ${kind} after ${number}`);
}
