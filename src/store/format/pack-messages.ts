/** Rows of messages with their records packed. */
import { isLongJson } from "../../core/long-json.ts";
import type { MessageRow } from "../../core/store.ts";
import { type Packed, pack } from "../codec.ts";
import { encodeLong } from "../encode-long.ts";

export interface PackedMessage {
  row: MessageRow;
  record: Packed | null;
}

/** zstd takes longer to set up than a page takes to write, and at the end of a turn somebody waits. */
const PAGE_BYTES = 4096;

/**
 * Done before the transaction, since packing a large record takes a while. The rows are copied at once: the engine goes
 * on changing those of messages that still stream.
 */
export function packMessages(messages: readonly MessageRow[]): Promise<PackedMessage[]> {
  return Promise.all(
    messages.map(async (row) => ({
      row: { ...row },
      record: row.record ? await packRecord(row.record) : null,
    })),
  );
}

function packRecord(record: object): Promise<Packed> {
  if (!isLongJson(record)) return pack(JSON.stringify(record), PAGE_BYTES);
  const copy = structuredClone(record);
  return encodeLong(copy).then((json) => pack(json, PAGE_BYTES));
}
