/** Messages as both stores on disk have them in their columns, without their records. */
import type { MessageRecord } from "../../core/message-record.ts";
import type { MessageRow } from "../../core/store.ts";
import { type ColumnsOf, columnNames, toColumns, toRow } from "./map-columns.ts";

const FIELDS = {
  id: "id",
  role: "role",
  state: "state",
  first_seq: "firstSeq",
  last_seq: "lastSeq",
  position: "position",
  turn: "turn",
  rewound_at: "rewoundAt",
  fold_version: "foldVersion",
  request: "request",
  response: "response",
} as const;

export type MessageColumns = ColumnsOf<MessageRow, typeof FIELDS>;

export const MESSAGE_COLUMNS = columnNames(FIELDS);

export function toMessageColumns(row: MessageRow): MessageColumns {
  return toColumns(row, FIELDS);
}

export function toMessageRow(stored: MessageColumns, record?: { value: MessageRecord }): MessageRow {
  const row = toRow<MessageRow, typeof FIELDS>(stored, FIELDS);
  return record ? { ...row, record: record.value } : row;
}
