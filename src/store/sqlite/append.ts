/** Writing one batch: everything that can be slow is packed first, then one short transaction does the rest. */
import { EVENT_FORMAT } from "../../core/event.ts";
import type { SessionAppend } from "../../core/store.ts";
import { checkAppend } from "../check-append.ts";
import { writeAsk } from "./asks.ts";
import type { Connection } from "./connection.ts";
import { BLOCK_BYTES, BLOCK_EVENTS, type LogPart } from "./cut-blocks.ts";
import { amendMessage, type PackedMessage, packMessages, rewindMessages, writeMessage } from "./messages.ts";
import { type PackedRaws, packRaws } from "./raw-line.ts";
import { isWorthSealing, sealWithAppend } from "./seal-with-append.ts";
import { indexText, indexTitle } from "./search.ts";
import {
  advanceSession,
  findForAppend,
  insertSession,
  type LogExtent,
  updateSession,
} from "./session-row.ts";
import { addUsageDay } from "./usage.ts";

export interface PackedAppend {
  append: SessionAppend;
  raws: PackedRaws;
  messages: PackedMessage[];
}

const INSERT_TAIL = `INSERT INTO tail (session, first, last, raw_first, raw_last, format, events, raws)
  VALUES (?, ?, ?, ?, ?, ${EVENT_FORMAT}, ?, ?)`;

const INSERT_BLOB = "INSERT INTO raw_blob (session, raw_seq, codec, data) VALUES (?, ?, ?, ?)";

const WRITE_SNAPSHOT = `INSERT INTO snapshot (session, seq, json) VALUES (?, ?, ?)
  ON CONFLICT (session) DO UPDATE SET seq = excluded.seq, json = excluded.json`;

export function packBatch(batch: readonly SessionAppend[]): Promise<PackedAppend[]> {
  return Promise.all(
    batch.map(async (append) => {
      const [raws, messages] = await Promise.all([packRaws(append.raws), packMessages(append.messages)]);
      return { append, raws, messages };
    }),
  );
}

/** Gives the numbers of the sessions whose tail should be sealed now. */
export function writeBatch(connection: Connection, batch: readonly PackedAppend[]): Set<number> {
  const toSeal = new Set<number>();
  connection.transaction(() => {
    for (const packed of batch) {
      const { session, sealable } = writeSession(connection, packed);
      if (sealable) toSeal.add(session);
    }
  });
  return toSeal;
}

function writeSession(connection: Connection, entry: PackedAppend): { session: number; sealable: boolean } {
  const { append, raws, messages } = entry;
  const { row } = append;
  const stored = findForAppend(connection, append.session);
  checkAppend(append, { head: stored?.head ?? 0, rawHead: stored?.raw_head ?? 0 });

  if (stored) updateSession(connection, stored, row);
  const session = stored?.id ?? insertSession(connection, row);
  const tail = writeLog(connection, session, stored ?? NO_TAIL, partOf(append, raws));
  const extent = {
    ...tail,
    head: row.head,
    raw_head: row.rawHead,
    search_texts: (stored?.search_texts ?? 0) + (append.searchText ? 1 : 0),
  };
  advanceSession(connection, session, extent);

  for (const { rawSeq, packed } of raws.blobs)
    connection.run(INSERT_BLOB, session, rawSeq, packed.codec, packed.data);
  for (const message of messages) writeMessage(connection, session, message);
  for (const rewound of append.rewound ?? []) rewindMessages(connection, session, rewound);
  for (const amended of append.amended ?? []) amendMessage(connection, session, amended);
  for (const ask of append.asks) writeAsk(connection, session, ask);
  for (const increment of append.usage) addUsageDay(connection, session, increment);
  if (append.snapshot) connection.run(WRITE_SNAPSHOT, session, append.snapshot.seq, append.snapshot.json);
  if (!stored || stored.title !== (row.title ?? null)) indexTitle(connection, session, row);
  if (append.searchText) indexText(connection, session, extent.search_texts, append.searchText);

  const isLong = tail.tail_events >= BLOCK_EVENTS || tail.tail_bytes >= BLOCK_BYTES;
  return { session, sealable: tail.tail_bytes > 0 && (append.seal === true || isLong) };
}

type Tail = Pick<LogExtent, "tail_events" | "tail_bytes">;

const NO_TAIL: Tail = { tail_events: 0, tail_bytes: 0 };

function partOf({ events, raws, row }: SessionAppend, packed: PackedRaws): LogPart {
  return {
    first: row.head - events.length + 1,
    last: row.head,
    raw_first: row.rawHead - raws.length + 1,
    raw_last: row.rawHead,
    format: EVENT_FORMAT,
    events: events.map((event) => event.json).join("\n"),
    raws: packed.text,
  };
}

/** Gives the tail as it is then. */
function writeLog(connection: Connection, session: number, before: Tail, part: LogPart): Tail {
  const { first, last, raw_first, raw_last, events, raws } = part;
  const { tail_events, tail_bytes } = before;
  if (last < first && raw_last < raw_first) return { tail_events, tail_bytes };
  if (isWorthSealing(before, part)) {
    sealWithAppend(connection, session, before, part);
    return NO_TAIL;
  }
  connection.run(INSERT_TAIL, session, first, last, raw_first, raw_last, events, raws);
  return {
    tail_events: tail_events + last - first + 1,
    tail_bytes: tail_bytes + events.length + raws.length,
  };
}
