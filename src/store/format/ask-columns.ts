/** Asks as both stores on disk have them in their columns. */
import type { AskRow } from "../../core/store.ts";
import { dropNulls } from "./drop-nulls.ts";

export interface AskColumns {
  ask: string;
  kind: string;
  state: AskRow["state"];
  opened_seq: number;
  opened_at: number;
  expires_at: number | null;
  opened: string;
  answered: string | null;
  outcome: string | null;
}

export const ASK_COLUMNS = [
  "ask",
  "kind",
  "state",
  "opened_seq",
  "opened_at",
  "expires_at",
  "opened",
  "answered",
  "outcome",
] as const;

export function toAskColumns(row: AskRow): AskColumns {
  return {
    ask: row.ask,
    kind: row.kind,
    state: row.state,
    opened_seq: row.openedSeq,
    opened_at: row.openedAt,
    expires_at: row.expiresAt ?? null,
    opened: row.opened,
    answered: row.answered ?? null,
    outcome: row.outcome ?? null,
  };
}

export function toAskRow(stored: AskColumns): AskRow {
  return dropNulls({
    ask: stored.ask,
    kind: stored.kind,
    state: stored.state,
    openedSeq: stored.opened_seq,
    openedAt: stored.opened_at,
    expiresAt: stored.expires_at,
    opened: stored.opened,
    answered: stored.answered,
    outcome: stored.outcome,
  });
}
