/** Asks as both stores on disk have them in their columns. */
import type { AskRow } from "../../core/store.ts";
import { type ColumnsOf, columnNames, toColumns, toRow } from "./map-columns.ts";

const FIELDS = {
  ask: "ask",
  kind: "kind",
  state: "state",
  opened_seq: "openedSeq",
  opened_at: "openedAt",
  expires_at: "expiresAt",
  opened: "opened",
  answered: "answered",
  outcome: "outcome",
} as const;

export type AskColumns = ColumnsOf<AskRow, typeof FIELDS>;

export const ASK_COLUMNS = columnNames(FIELDS);

export function toAskColumns(row: AskRow): AskColumns {
  return toColumns(row, FIELDS);
}

export function toAskRow(stored: AskColumns): AskRow {
  return toRow<AskRow, typeof FIELDS>(stored, FIELDS);
}
