/** Messages as both stores on disk have them in their columns, without their records. */
import type { MessageRecord } from "../../core/message-record.ts";
import type { MessageRow } from "../../core/store.ts";
import { dropNulls } from "./drop-nulls.ts";

export interface MessageColumns {
  id: string;
  role: MessageRow["role"];
  state: MessageRow["state"];
  first_seq: number;
  last_seq: number;
  position: number | null;
  turn: string | null;
  rewound_at: number | null;
  fold_version: number | null;
  request: string | null;
  response: string | null;
}

export const MESSAGE_COLUMNS = [
  "id",
  "role",
  "state",
  "first_seq",
  "last_seq",
  "position",
  "turn",
  "rewound_at",
  "fold_version",
  "request",
  "response",
] as const;

export function toMessageColumns(row: MessageRow): MessageColumns {
  return {
    id: row.id,
    role: row.role,
    state: row.state,
    first_seq: row.firstSeq,
    last_seq: row.lastSeq,
    position: row.position ?? null,
    turn: row.turn ?? null,
    rewound_at: row.rewoundAt ?? null,
    fold_version: row.foldVersion ?? null,
    request: row.request ?? null,
    response: row.response ?? null,
  };
}

export function toMessageRow(stored: MessageColumns, record?: { value: MessageRecord }): MessageRow {
  return dropNulls({
    id: stored.id,
    role: stored.role,
    state: stored.state,
    firstSeq: stored.first_seq,
    lastSeq: stored.last_seq,
    position: stored.position,
    turn: stored.turn,
    rewoundAt: stored.rewound_at,
    foldVersion: stored.fold_version,
    request: stored.request,
    response: stored.response,
    record: record?.value ?? null,
  });
}
