/** Writing one batch: everything that can be slow is packed first, then one short transaction does the rest. */
import { EVENT_FORMAT } from "../../core/event.ts";
import type { SessionAppend } from "../../core/store.ts";
import { checkAppend } from "../check-append.ts";
import { CODEC_ZSTD } from "../codec.ts";
import { writeAsk } from "./asks.ts";
import { BLOCK_BYTES, BLOCK_EVENTS } from "./block.ts";
import type { Connection } from "./connection.ts";
import { type PackedMessage, packMessages, writeMessage } from "./messages.ts";
import { type PackedRaws, packRaws } from "./raw-line.ts";
import { indexText, indexTitle } from "./search.ts";
import { INSERT_SESSION, sessionValues, UPDATE_SESSION } from "./session-row.ts";
import { addUsageDay } from "./usage.ts";

export interface PackedAppend {
  append: SessionAppend;
  raws: PackedRaws;
  messages: PackedMessage[];
}

interface StoredSession {
  id: number;
  head: number;
  raw_head: number;
  title: string | null;
  tail_events: number;
  tail_bytes: number;
  search_texts: number;
}

const SELECT_SESSION =
  "SELECT id, head, raw_head, title, tail_events, tail_bytes, search_texts FROM session WHERE key = ?";

const INSERT_TAIL = `INSERT INTO tail (session, first, last, raw_first, raw_last, format, events, raws)
  VALUES (?, ?, ?, ?, ?, ${EVENT_FORMAT}, ?, ?)`;

const INSERT_BLOB = `INSERT INTO raw_blob (session, raw_seq, codec, data) VALUES (?, ?, ${CODEC_ZSTD}, ?)`;

const WRITE_SNAPSHOT = `INSERT INTO snapshot (session, seq, json) VALUES (?, ?, ?)
  ON CONFLICT (session) DO UPDATE SET seq = excluded.seq, json = excluded.json`;

export function packBatch(batch: readonly SessionAppend[]): Promise<PackedAppend[]> {
  return Promise.all(
    batch.map(async (append) => ({
      append,
      raws: await packRaws(append.raws),
      messages: await packMessages(append.messages),
    })),
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

function writeSession(connection: Connection, packed: PackedAppend): { session: number; sealable: boolean } {
  const { append, raws, messages } = packed;
  const stored = connection.get<StoredSession>(SELECT_SESSION, append.session);
  checkAppend(append, { head: stored?.head ?? 0, rawHead: stored?.raw_head ?? 0 });

  const values = sessionValues(append.row);
  const session = stored?.id ?? connection.insert(INSERT_SESSION, ...values);
  const added = writeTail(connection, session, append, raws);
  const texts = append.searchText ? 1 : 0;
  connection.run(UPDATE_SESSION, ...values, added.events, added.bytes, texts, session);

  for (const blob of raws.blobs) connection.run(INSERT_BLOB, session, blob.rawSeq, blob.data);
  for (const message of messages) writeMessage(connection, session, message);
  for (const ask of append.asks) writeAsk(connection, session, ask);
  for (const increment of append.usage) addUsageDay(connection, session, increment);
  if (append.snapshot) connection.run(WRITE_SNAPSHOT, session, append.snapshot.seq, append.snapshot.json);
  if (!stored || stored.title !== (append.row.title ?? null)) {
    indexTitle(connection, session, append.session, append.row.title);
  }
  if (append.searchText) indexText(connection, session, (stored?.search_texts ?? 0) + 1, append.searchText);

  const tailEvents = (stored?.tail_events ?? 0) + added.events;
  const tailBytes = (stored?.tail_bytes ?? 0) + added.bytes;
  return {
    session,
    sealable: append.seal === true || tailEvents >= BLOCK_EVENTS || tailBytes >= BLOCK_BYTES,
  };
}

function writeTail(connection: Connection, session: number, append: SessionAppend, raws: PackedRaws) {
  const { events, row } = append;
  if (events.length === 0 && append.raws.length === 0) return { events: 0, bytes: 0 };
  const text = events.map((event) => event.json).join("\n");
  const first = row.head - events.length + 1;
  const rawFirst = row.rawHead - append.raws.length + 1;
  connection.run(INSERT_TAIL, session, first, row.head, rawFirst, row.rawHead, text, raws.text);
  return { events: events.length, bytes: text.length + raws.text.length };
}
