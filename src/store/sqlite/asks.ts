/** Asks: what waits for a person, or did. */
import type { AskRow } from "../../core/store.ts";
import type { Connection } from "./connection.ts";
import { dropNulls } from "./drop-nulls.ts";

interface StoredAsk {
  session: string;
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

const UPSERT = `INSERT INTO ask (session, ask, kind, state, opened_seq, opened_at, expires_at, opened, answered, outcome)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (session, ask) DO UPDATE SET kind = excluded.kind, state = excluded.state, opened_seq = excluded.opened_seq,
    opened_at = excluded.opened_at, expires_at = excluded.expires_at, opened = excluded.opened,
    answered = excluded.answered, outcome = excluded.outcome`;

const SELECT = `SELECT session.key AS session, ask.ask, ask.kind, ask.state, ask.opened_seq, ask.opened_at, ask.expires_at,
  ask.opened, ask.answered, ask.outcome FROM ask JOIN session ON session.id = ask.session`;

const SELECT_ONE = `${SELECT} WHERE session.key = ? AND ask.ask = ?`;
export const SELECT_OPEN = `${SELECT} WHERE ask.state = 'open' ORDER BY ask.opened_at, ask.id`;

/** A row replaces the former one of the same ask as a whole. */
export function writeAsk(connection: Connection, session: number, row: AskRow): void {
  connection.run(
    UPSERT,
    session,
    row.ask,
    row.kind,
    row.state,
    row.openedSeq,
    row.openedAt,
    row.expiresAt ?? null,
    row.opened,
    row.answered ?? null,
    row.outcome ?? null,
  );
}

export function readAsk(connection: Connection, session: string, ask: string): AskRow | undefined {
  const stored = connection.get<StoredAsk>(SELECT_ONE, session, ask);
  return stored && toAskRow(stored);
}

export function readOpenAsks(connection: Connection, session?: string): (AskRow & { session: string })[] {
  // Few asks are open at a time over all sessions, so the one index serves both questions.
  return connection
    .all<StoredAsk>(SELECT_OPEN)
    .filter((stored) => session === undefined || stored.session === session)
    .map((stored) => ({ ...toAskRow(stored), session: stored.session }));
}

function toAskRow(stored: StoredAsk): AskRow {
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
