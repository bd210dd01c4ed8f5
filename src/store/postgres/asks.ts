/** Asks: what waits for a person, or did. */
import type { AskQuery, AskRow, OpenAskRow } from "../../core/store.ts";
import { ASK_COLUMNS, type AskColumns, toAskRow } from "../format/ask-columns.ts";
import { decodeAskCursor, encodeAskCursor, FIRST_ASK } from "../list-cursor.ts";
import { PageBudget } from "../page.ts";
import { Conditions } from "./conditions.ts";
import type { PostgresConnection } from "./connection.ts";
import { decodeText, decodeTexts, encodeText } from "./stored-text.ts";

export const SELECTED_ASK = ASK_COLUMNS.map((column) => `ask.${column}`).join(", ");

/** How many open asks are read at once. */
const ASKS = 100;

export async function readAsk(
  connection: PostgresConnection,
  session: number,
  ask: string,
): Promise<AskRow | undefined> {
  const sql = `SELECT ${SELECTED_ASK} FROM ask WHERE ask.session = $1 AND ask.ask = $2`;
  const [stored] = await connection.query<AskColumns>(sql, [session, encodeText(ask)]);
  return stored && toAskRow(decodeTexts(stored));
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
    const rows = await connection.query<AskColumns & { ordinal: number; key: string }>(
      `SELECT ${SELECTED_ASK}, ask.id AS ordinal, session.key FROM ask JOIN session ON session.id = ask.session
        WHERE ask.state = 'open' AND ${where.sql} ORDER BY ask.opened_at, ask.id LIMIT ${ASKS}`,
      where.values,
    );
    for (const row of rows) {
      const ask = { ...toAskRow(decodeTexts(row)), session: decodeText(row.key) };
      if (!budget.takeText(ask.opened)) return { asks, cursor: encodeAskCursor(last) };
      asks.push(ask);
      last = { openedAt: row.opened_at, ordinal: row.ordinal };
    }
    if (rows.length < ASKS) return { asks };
  }
}
