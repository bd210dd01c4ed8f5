/** Writes one batch: compresses first, which can be slow, then runs one short transaction. */
import { setImmediate } from "node:timers/promises";
import type { SessionAppend } from "../../core/store.ts";
import { checkEntries, checkHeads } from "../check-append.ts";
import { BLOCK_BYTES, BLOCK_EVENTS } from "../format/cut-blocks.ts";
import { logBytes, logParts } from "../format/log-parts.ts";
import { type PackedBlock, packBlocks } from "../format/pack-blocks.ts";
import { type PackedPiece, packMemory } from "../format/pack-memory.ts";
import { type PackedMessage, packMessages } from "../format/pack-messages.ts";
import { type PackedRaws, packRaws } from "../format/raw-line.ts";
import type { Sealable } from "../sealer.ts";
import { writeAsk } from "./asks.ts";
import { writeClientKey } from "./client-keys.ts";
import type { Connection } from "./connection.ts";
import { insertBlock } from "./insert-block.ts";
import { writePiece } from "./memory.ts";
import { writeText } from "./message-texts.ts";
import { amendMessage, rewindMessages, writeMessage } from "./messages.ts";
import { insertRawBlob } from "./raw-blob.ts";
import { canBeSealed, isTooLargeToSeal, isWorthSealing, sealWithAppend, sizeOf } from "./seal-with-append.ts";
import { indexText, indexTitle } from "./search.ts";
import {
  advanceSession,
  findForAppend,
  insertSession,
  type LogExtent,
  updateSession,
} from "./session-row.ts";
import { writeSnapshot } from "./snapshot.ts";
import { insertTailRow } from "./tail-row.ts";
import { addUsageDay } from "./usage.ts";

export interface PackedAppend {
  append: SessionAppend;
  raws: PackedRaws;
  messages: PackedMessage[];
  memory: PackedPiece[];
  /** The log, if it is too large to be packed inside the transaction. */
  blocks?: PackedBlock[];
}

export function packBatch(batch: readonly SessionAppend[]): Promise<PackedAppend[]> {
  return Promise.all(
    batch.map(async (append) => {
      for (const _ of checkEntries(append)) await setImmediate();
      const [raws, messages] = await Promise.all([packRaws(append.raws), packMessages(append.messages)]);
      const isLarge = isTooLargeToSeal(logBytes(append, raws.lines));
      const blocks = isLarge ? await packBlocks(logParts(append, raws.lines)) : undefined;
      const memory = append.memory ? await packMemory(append.memory) : [];
      return { append, raws, messages, memory, blocks };
    }),
  );
}

export type WrapWrite = <Result>(session: string, write: () => Result) => Result;

/** Returns the sessions whose tail should be sealed. */
export function writeBatch(
  connection: Connection,
  batch: readonly PackedAppend[],
  wrapWrite: WrapWrite = (_, write) => write(),
): Sealable[] {
  return connection.transaction(() =>
    batch.flatMap((packed) => wrapWrite(packed.append.session, () => writeSession(connection, packed)) ?? []),
  );
}

function writeSession(connection: Connection, entry: PackedAppend): Sealable | undefined {
  const { append, raws, messages, memory } = entry;
  const { row } = append;
  const stored = findForAppend(connection, append.session);
  checkHeads(append, { head: stored?.head ?? 0, rawHead: stored?.raw_head ?? 0 });

  if (stored) updateSession(connection, stored, append);
  const session = stored?.id ?? insertSession(connection, append);
  const identity = { id: session, key: row.id, agent: stored?.agent ?? row.agent };
  const tail = writeLog(connection, session, stored ?? NO_TAIL, entry);
  const extent = {
    ...tail,
    head: row.head,
    raw_head: row.rawHead,
    search_texts: (stored?.search_texts ?? 0) + (append.searchText ? 1 : 0),
  };
  advanceSession(connection, identity, extent);

  for (const blob of raws.blobs) insertRawBlob(connection, session, blob);
  for (const message of messages) writeMessage(connection, session, message);
  for (const text of append.texts ?? []) writeText(connection, session, text);
  for (const rewound of append.rewound ?? []) rewindMessages(connection, session, rewound);
  for (const amended of append.amended ?? []) amendMessage(connection, session, amended);
  for (const ask of append.asks) writeAsk(connection, session, ask);
  for (const key of append.keys ?? []) writeClientKey(connection, session, key);
  for (const increment of append.usage) addUsageDay(connection, session, increment);
  for (const piece of memory) writePiece(connection, session, piece);
  if (append.snapshot) writeSnapshot(connection, session, append.snapshot);
  if (!stored || stored.title !== (row.title ?? null)) indexTitle(connection, session, row);
  if (append.searchText) indexText(connection, session, extent.search_texts, append.searchText);

  const isLong = tail.tail_events >= BLOCK_EVENTS || tail.tail_bytes >= BLOCK_BYTES;
  return tail.tail_bytes > 0 && (append.seal || isLong) ? { session, isLong } : undefined;
}

type Tail = Pick<LogExtent, "tail_events" | "tail_bytes">;

const NO_TAIL: Tail = { tail_events: 0, tail_bytes: 0 };

/** Returns the resulting tail. */
function writeLog(
  connection: Connection,
  session: number,
  before: Tail,
  { append, raws, blocks }: PackedAppend,
): Tail {
  const { tail_events, tail_bytes } = before;
  if (blocks && canBeSealed(before)) {
    sealWithAppend(connection, session, before, []);
    for (const { block, packed } of blocks) insertBlock(connection, session, block, packed);
    return NO_TAIL;
  }
  const parts = [...logParts(append, raws.lines)];
  if (parts.length === 0) return { tail_events, tail_bytes };
  const added = sizeOf(parts);
  if (isWorthSealing(before, added)) {
    sealWithAppend(connection, session, before, parts);
    return NO_TAIL;
  }
  for (const part of parts) insertTailRow(connection, session, part);
  return { tail_events: tail_events + added.events, tail_bytes: tail_bytes + added.bytes };
}
