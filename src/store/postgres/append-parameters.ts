/** What one flush writes, as the parameters of its statement. */
import type { SessionAppend, UsageIncrement } from "../../core/store.ts";
import { toAskColumns } from "../format/ask-columns.ts";
import { contentChecksum } from "../format/checksum.ts";
import type { LogPart } from "../format/cut-blocks.ts";
import { logParts } from "../format/log-parts.ts";
import { toMessageColumns } from "../format/message-columns.ts";
import { type PackedPiece, pieceChecksum } from "../format/pack-memory.ts";
import type { PackedMessage } from "../format/pack-messages.ts";
import { packedChecksum } from "../format/packed-content.ts";
import type { PackedRaws } from "../format/raw-line.ts";
import { addCounts, toUsageCounts, USAGE_COUNTS } from "../format/usage-columns.ts";
import { PROJECTIONS, type Projection } from "./append-statement.ts";
import { ByteParameter } from "./byte-parameter.ts";
import type { Value } from "./connection.ts";
import type { KnownHead } from "./known-heads.ts";
import type { MessageChange } from "./rewinds.ts";
import { lexemes } from "./search-lexemes.ts";
import { changingValues, fixedValues } from "./session-row.ts";
import { encodeText, encodeTexts } from "./stored-text.ts";

export interface PackedAppend {
  append: SessionAppend;
  raws: PackedRaws;
  messages: PackedMessage[];
  memory: PackedPiece[];
}

/** An append with where its log ends, and what else changes of its messages. */
export interface PlacedAppend extends PackedAppend {
  head: KnownHead;
  changes: readonly MessageChange[];
}

type JsonRow = Record<string, string | number | boolean | null>;

export class AppendParameters {
  readonly #bytes = new ByteParameter();
  readonly #heads: (number | null)[][] = Array.from({ length: 9 }, () => []);
  readonly #tails: number[][] = Array.from({ length: 8 }, () => []);
  readonly #rows = new Map<Projection, JsonRow[]>();
  #order = 0;

  add(placed: PlacedAppend): void {
    const { append, head, raws, messages } = placed;
    const { session, epoch } = head;
    const { row } = append;
    let [addedEvents, addedBytes] = [0, 0];
    for (const part of logParts(append, raws.lines)) {
      addedEvents += part.last - part.first + 1;
      addedBytes += this.#addTail(session, part);
    }
    const ends = [head.head, head.rawHead, row.head, row.rawHead];
    const heads = [session, epoch, ...ends, addedEvents, addedBytes, append.claim?.node ?? null];
    for (const [index, value] of heads.entries()) this.#heads[index]!.push(value);

    this.#addSession(placed);
    for (const { rawSeq, packed } of raws.blobs) {
      const checksum = packedChecksum(packed, [session, rawSeq]);
      const piece = this.#bytes.add(packed.data);
      this.#add("blobs", { session, raw_seq: rawSeq, codec: packed.codec, checksum, ...piece });
    }
    for (const message of messages) this.#addMessage(session, message);
    for (const { id, rewoundAt, amendedSeq } of placed.changes)
      this.#add("messageChanges", {
        session,
        id: encodeText(id),
        rewound_at: rewoundAt ?? null,
        amended_seq: amendedSeq ?? null,
      });
    this.#addTexts(session, append);
    for (const ask of lastOfEach(append.asks, ({ ask }) => ask))
      this.#add("asks", { n: this.#next(), session, ...encodeTexts(toAskColumns(ask)) });
    for (const row of usageRows(session, append.usage)) this.#add("usage", row);
    for (const { dialect, key, seq } of append.keys ?? [])
      this.#add("keys", {
        n: this.#next(),
        session,
        dialect: encodeText(dialect),
        key: encodeText(key),
        seq,
      });
    if (append.snapshot) {
      const { seq, json } = append.snapshot;
      const data = Buffer.from(json);
      const checksum = contentChecksum(data, `${session} ${seq}`);
      this.#add("snapshots", { session, seq, checksum, ...this.#bytes.add(data) });
    }
    for (const piece of placed.memory) this.#addPiece(session, piece);
  }

  /** Those there are rows of. */
  get present(): Projection[] {
    return PROJECTIONS.filter((projection) => this.#rows.has(projection));
  }

  get values(): Value[] {
    const projections = this.present.map((projection) => JSON.stringify(this.#rows.get(projection)));
    return [...this.#heads, ...this.#tails, this.#bytes.toBuffer(), ...projections];
  }

  #addTail(session: number, part: LogPart): number {
    const data = Buffer.from(partText(part));
    const { off, len } = this.#bytes.add(data);
    const checksum = contentChecksum(data, placeOfTail(session, part));
    const values = [session, part.first, part.last, part.raw_first, part.raw_last, checksum, off, len];
    for (const [index, value] of values.entries()) this.#tails[index]!.push(value);
    return len;
  }

  /** Written only when something changed: most commits add events and nothing else. */
  #addSession({ append, head }: PlacedAppend): void {
    const { session } = head;
    const { row, searchText } = append;
    const changing = changingValues(append);
    if (head.isNew) this.#add("created", { id: session, ...fixedValues(row), ...changing });
    else if (head.changing !== JSON.stringify(changing)) this.#add("changed", { session, ...changing });
    if (head.changing === undefined || head.title !== row.title)
      this.#add("titles", { session, words: lexemes(`${row.id} ${row.title ?? ""}`) });
    if (searchText) this.#add("searchTexts", { session, words: lexemes(searchText) });
  }

  #addMessage(session: number, { row, record }: PackedMessage): void {
    const packed = record && {
      codec: record.codec,
      checksum: packedChecksum(record, [session, row.id]),
      ...this.#bytes.add(record.data),
    };
    const none = { codec: null, checksum: null, off: null, len: null };
    this.#add("messages", {
      n: this.#next(),
      session,
      ...encodeTexts(toMessageColumns(row)),
      ...(packed ?? none),
    });
  }

  #addTexts(session: number, { texts = [] }: SessionAppend): void {
    for (const { message, at, text } of lastOfEach(texts, (one) => one.message)) {
      const kept = text.replaceAll("\0", " ").toWellFormed();
      this.#add("texts", { session, id: encodeText(message), at, text: kept, words: lexemes(kept) });
    }
  }

  #addPiece(session: number, piece: PackedPiece): void {
    const { seq, packed, replaces } = piece;
    const part = encodeText(piece.part);
    if (replaces) this.#add("replacedPieces", { session, part, before: packed ? seq : seq + 1 });
    if (!packed) return;
    const checksum = pieceChecksum(packed, session, piece);
    const place = this.#bytes.add(packed.data);
    this.#add("pieces", { session, part, seq, codec: packed.codec, checksum, ...place });
  }

  #add(projection: Projection, row: JsonRow): void {
    const rows = this.#rows.get(projection);
    if (rows) rows.push(row);
    else this.#rows.set(projection, [row]);
  }

  #next(): number {
    this.#order += 1;
    return this.#order;
  }
}

/** What is stored of a part: the lines of its events, then those of its raw records. */
export function partText({ events, raws }: LogPart): string {
  return events === "" || raws === "" ? events + raws : `${events}\n${raws}`;
}

/** The identity of a row of the tail, for its checksum. */
export function placeOfTail(
  session: number,
  { first, last, raw_first, raw_last }: Pick<LogPart, "first" | "last" | "raw_first" | "raw_last">,
): string {
  return `${session} ${first} ${last} ${raw_first} ${raw_last}`;
}

/** One row for each day and model: a statement can change a row only once. */
function usageRows(session: number, increments: readonly UsageIncrement[]): JsonRow[] {
  const rows = new Map<string, JsonRow>();
  for (const increment of increments) {
    const { day, model = "" } = increment;
    const place = `${day} ${model}`;
    const added = toUsageCounts(increment);
    const row = rows.get(place) ?? { session, day, model: encodeText(model) };
    for (const name of USAGE_COUNTS) row[name] = addCounts((row[name] ?? null) as number | null, added[name]);
    rows.set(place, row);
  }
  return [...rows.values()];
}

/** The last of those with one name, in the place of the first. */
export function lastOfEach<Item>(items: readonly Item[], nameOf: (item: Item) => string): Item[] {
  return [...new Map(items.map((item) => [nameOf(item), item])).values()];
}
