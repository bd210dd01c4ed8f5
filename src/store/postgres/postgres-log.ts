/**
 * Reads pages of a session's log: blocks first, then the tail. Each step asks for the piece that has the next number
 * wanted with one statement, so packing in the background can neither hide nor repeat an entry.
 */
import type { EncodedEvent } from "../../core/encoded-event.ts";
import type { RawRecord } from "../../core/raw-record.ts";
import type { EventPage } from "../../core/store.ts";
import { DamagedDataError } from "../damaged-data.ts";
import { type BlockLines, type Span, splitLines, unpackBlock, upcastLines } from "../format/block.ts";
import type { BlockCache } from "../format/block-cache.ts";
import { assertContent } from "../format/checksum.ts";
import { type StoredContent, unpackContent } from "../format/packed-content.ts";
import { isStub, type RawLine, type RawStub, readRawLine } from "../format/raw-line.ts";
import { PageBudget } from "../page.ts";
import { parseLong } from "../parse-long.ts";
import { placeOfTail } from "./append-parameters.ts";
import type { PostgresConnection, Statement } from "./connection.ts";
import { encodeText } from "./stored-text.ts";

type Kind = "events" | "raws";

export interface LogEnd {
  session: number;
  head: number;
  raw_head: number;
}

/** A block or a row of the tail; a block that is in the cache comes without its data. */
interface FoundPiece extends Span {
  /** Of a block. */
  id: number | null;
  codec: number | null;
  checksum: number;
  data: Buffer | null;
}

/** A row of the tail as it is stored. */
export type TailRow = Span & { checksum: number; data: Buffer };

/** How much of a tail is read at once. */
const TAIL_BYTES = 4 * 1024 * 1024;

const SELECT_END: Statement = {
  name: "select_end",
  text: `SELECT session.id AS session, head, raw_head FROM session JOIN log_head ON log_head.session = session.id
    WHERE session.key = $1`,
};

const SELECT_BLOB: Statement = {
  name: "select_blob",
  text: "SELECT codec, data, checksum FROM raw_blob WHERE session = $1 AND raw_seq = $2",
};

function selectPieces(name: string, last: string): Statement {
  return {
    name,
    text: `WITH b AS (SELECT id, first, last, raw_first, raw_last, format, codec, checksum,
        CASE WHEN id = ANY($3::bigint[]) THEN NULL ELSE data END AS data
      FROM block WHERE session = $1 AND ${last} > $2 ORDER BY ${last} LIMIT 1),
    t AS (SELECT *, sum(length(data)) OVER (ORDER BY last, raw_last) - length(data) AS before FROM tail
      WHERE session = $1 AND ${last} > $2 AND NOT EXISTS (SELECT 1 FROM b))
    SELECT * FROM b UNION ALL
    (SELECT NULL, first, last, raw_first, raw_last, format, NULL, checksum, data FROM t WHERE before < ${TAIL_BYTES}
      ORDER BY last, raw_last)`,
  };
}

const SELECT_PIECES: Record<Kind, Statement> = {
  events: selectPieces("select_events", "last"),
  raws: selectPieces("select_raws", "raw_last"),
};

export class PostgresLog {
  readonly #connection: PostgresConnection;
  readonly #cache: BlockCache;

  constructor(connection: PostgresConnection, cache: BlockCache) {
    this.#connection = connection;
    this.#cache = cache;
  }

  async readEvents(key: string, after: number, limit: number, maxBytes?: number): Promise<EventPage> {
    const end = await this.findEnd(key);
    if (!end) return { events: [], head: 0 };
    const budget = new PageBudget(limit, maxBytes);
    const events: EncodedEvent[] = [];
    await this.#read("events", end, after, (json, seq) => {
      if (!budget.takeText(json)) return false;
      events.push({ seq, json });
      return !budget.full;
    });
    return { events, head: end.head };
  }

  async readRaws(key: string, after: number, limit: number, maxBytes?: number) {
    const end = await this.findEnd(key);
    if (!end) return { raws: [], head: 0 };
    const budget = new PageBudget(limit, maxBytes);
    const lines: RawLine[] = [];
    await this.#read("raws", end, after, (text) => {
      const line = readRawLine(text);
      if (!budget.takeText(text, isStub(line) ? line.dataBytes : 0)) return false;
      lines.push(line);
      return !budget.full;
    });
    const raws: RawRecord[] = [];
    for (const line of lines) raws.push(isStub(line) ? await this.#withData(end.session, line) : line);
    return { raws, head: end.raw_head };
  }

  async findEnd(key: string): Promise<LogEnd | undefined> {
    const [end] = await this.#connection.query<LogEnd>(SELECT_END, [encodeText(key)]);
    return end;
  }

  async #read(
    kind: Kind,
    { session, ...end }: LogEnd,
    after: number,
    take: (line: string, number: number) => boolean,
  ): Promise<void> {
    const until = kind === "events" ? end.head : end.raw_head;
    let read = after;
    let goOn = read < until;
    while (goOn) {
      const pieces = await this.#connection.query<FoundPiece>(SELECT_PIECES[kind], [
        session,
        read,
        this.#cache.idsOf(session),
      ]);
      const before = read;
      for (const piece of pieces) {
        const lines = (await this.#linesOf(session, piece))[kind];
        // A row may have only the other kind.
        if (lines.length === 0) continue;
        const start = read + 1 - (kind === "events" ? piece.first : piece.raw_first);
        if (start < 0 || start >= lines.length) throw gapAfter(kind, read);
        for (let index = start; index < lines.length && goOn; index += 1) {
          read += 1;
          goOn = take(lines[index] as string, read) && read < until;
        }
        if (!goOn) return;
      }
      if (read > before) continue;
      // The session may have been deleted since its head was read.
      if (await this.#isGone(session)) return;
      throw gapAfter(kind, read);
    }
  }

  async #isGone(session: number): Promise<boolean> {
    return (
      (await this.#connection.query("SELECT 1 FROM log_head WHERE session = $1", [session])).length === 0
    );
  }

  async #linesOf(session: number, piece: FoundPiece): Promise<BlockLines> {
    const { id, codec, data, checksum } = piece;
    if (id === null) return tailLines(session, { ...piece, data: data! });
    if (data === null) {
      const cached = this.#cache.get(id);
      // After a failover to a standby that was behind, another block may have its id.
      if (cached?.checksum === checksum) return cached.lines;
      // Another one, or dropped from the cache since it was asked.
      return this.#linesOf(session, await this.#readBlock(id));
    }
    const lines = await unpackBlock(session, piece, { codec: codec!, data, checksum });
    this.#cache.set(id, { session, first: piece.first, raw_first: piece.raw_first, checksum, lines });
    return lines;
  }

  async #readBlock(id: number): Promise<FoundPiece> {
    const [block] = await this.#connection.query<FoundPiece>("SELECT * FROM block WHERE id = $1", [id]);
    if (!block) throw new DamagedDataError("a block of its log is not there any more");
    return block;
  }

  async #withData(session: number, stub: RawStub): Promise<RawRecord> {
    const { dataBytes: _, ...rest } = stub;
    return { ...rest, data: await readRawBlob(this.#connection, session, stub.rawSeq) };
  }
}

/** Throws a `DamagedDataError` when it is missing or not what was stored. */
export async function readRawBlob(
  connection: Pick<PostgresConnection, "query">,
  session: number,
  rawSeq: number,
): Promise<RawRecord["data"]> {
  const what = `the data of raw record ${rawSeq}`;
  const [stored] = await connection.query<StoredContent>(SELECT_BLOB, [session, rawSeq]);
  if (!stored) throw new DamagedDataError(`${what} is missing`);
  return parseLong(await unpackContent(stored, what, [session, rawSeq]), what);
}

/** The lines as they were stored. Throws when they are not what was stored. */
export function storedTailLines(session: number, row: TailRow): BlockLines {
  const what = `the row of events ${row.first} to ${row.last}`;
  assertContent(row.checksum, what, row.data, "blob", placeOfTail(session, row));
  const raws = splitLines(row.data.toString());
  const events = raws.splice(0, row.last - row.first + 1);
  return { events, raws };
}

function tailLines(session: number, row: TailRow): BlockLines {
  const { events, raws } = storedTailLines(session, row);
  return { events: upcastLines(events, row.format), raws };
}

function gapAfter(kind: Kind, number: number): DamagedDataError {
  return new DamagedDataError(`its log has a gap in its ${kind} after ${number}`);
}
