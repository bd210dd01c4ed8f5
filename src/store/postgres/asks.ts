/** Asks: what waits for a person, or did. */
import type { AskQuery, AskRow, OpenAskRow } from "../../core/store.ts";
import { dropNulls } from "../format/drop-nulls.ts";
import { decodeAskCursor, encodeAskCursor, FIRST_ASK } from "../list-cursor.ts";
import { PageBudget } from "../page.ts";
import { Conditions } from "./conditions.ts";
import type { PostgresConnection } from "./connection.ts";
import { decodeOptional, decodeText, encodeText } from "./stored-text.ts";

export interface StoredAsk {
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

export const ASK_COLUMNS = `ask.ask, ask.kind, ask.state, ask.opened_seq, ask.opened_at, ask.expires_at, ask.opened,
  ask.answered, ask.outcome`;

/** How many open asks are read at once. */
const ASKS = 100;

export async function readAsk(
  connection: PostgresConnection,
  session: number,
  ask: string,
): Promise<AskRow | undefined> {
  const sql = `SELECT ${ASK_COLUMNS} FROM ask WHERE ask.session = $1 AND ask.ask = $2`;
  const [stored] = await connection.query<StoredAsk>(sql, [session, encodeText(ask)]);
  return stored && toAskRow(stored);
}

/** Of all sessions or one, oldest first. */
export async function readOpenAsks(
  connection: PostgresConnection,
  { session, only, maxBytes, cursor }: AskQuery,
): Promise<{ asks: OpenAskRow[]; cursor?: string }> {
  const budget = new PageBudget(Number.POSITIVE_INFINITY, maxBytes);
  const asks: OpenAskRow[] = [];
  let last = cursor === undefined ? FIRST_ASK : decodeAskCursor(cursor);
  for (;;) {
    const where = new Conditions();
    where.addText("session.key = ?", session);
    where.addOnly(only);
    where.add("(ask.opened_at, ask.id) > (?, ?)", last.openedAt, last.ordinal);
    const rows = await connection.query<StoredAsk & { ordinal: number; key: string }>(
      `SELECT ${ASK_COLUMNS}, ask.id AS ordinal, session.key FROM ask JOIN session ON session.id = ask.session
        WHERE ask.state = 'open' AND ${where.sql} ORDER BY ask.opened_at, ask.id LIMIT ${ASKS}`,
      where.values,
    );
    for (const row of rows) {
      const ask = { ...toAskRow(row), session: decodeText(row.key) };
      if (!budget.takeText(ask.opened)) return { asks, cursor: encodeAskCursor(last) };
      asks.push(ask);
      last = { openedAt: row.opened_at, ordinal: row.ordinal };
    }
    if (rows.length < ASKS) return { asks };
  }
}

export function toAskRow(stored: StoredAsk): AskRow {
  return dropNulls({
    ask: decodeText(stored.ask),
    kind: decodeText(stored.kind),
    state: stored.state,
    openedSeq: stored.opened_seq,
    openedAt: stored.opened_at,
    expiresAt: stored.expires_at,
    opened: decodeText(stored.opened),
    answered: decodeOptional(stored.answered),
    outcome: decodeOptional(stored.outcome),
  });
}
