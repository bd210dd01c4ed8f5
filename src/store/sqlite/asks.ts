/** Asks: what waits for a person, or did. */
import type { AskQuery, AskRow, OpenAskRow } from "../../core/store.ts";
import { ASK_COLUMNS, type AskColumns, toAskColumns, toAskRow } from "../format/ask-columns.ts";
import { assertChecksum, type Checksum, rowChecksum } from "../format/checksum.ts";
import { isAmong } from "../is-among.ts";
import { decodeAskCursor, encodeAskCursor, FIRST_ASK } from "../list-cursor.ts";
import { PageBudget } from "../page.ts";
import { type OnDamage, skipDamaged } from "../skip-damaged.ts";
import type { Connection } from "./connection.ts";
import { assertLogRecord, LOG_COLUMNS, type LogRecord } from "./session-row.ts";

type OpenAsk = StoredAsk & LogRecord & { ordinal: number };

export type StoredAsk = AskColumns & { checksum: Checksum };

const ALL = [...ASK_COLUMNS, "checksum"];
const COLUMNS = ALL.map((column) => `ask.${column}`).join(", ");

const UPSERT = `INSERT INTO ask (session, ${ALL.join(", ")}) VALUES (?, ${ALL.map(() => "?").join(", ")})
  ON CONFLICT (session, ask) DO UPDATE SET ${ALL.map((column) => `${column} = excluded.${column}`).join(", ")}`;

/** All that the session ever had. */
export const SELECT_ASKS = `SELECT ${COLUMNS} FROM ask WHERE ask.session = ?`;
const SELECT_ONE = `SELECT ${COLUMNS} FROM ask WHERE ask.session = ? AND ask.ask = ?`;
export const SELECT_OPEN = `SELECT ${COLUMNS}, ask.id AS ordinal, ${LOG_COLUMNS}
  FROM ask JOIN session ON session.id = ask.session
  WHERE ask.state = 'open' AND (ask.opened_at, ask.id) > (?, ?) ORDER BY ask.opened_at, ask.id`;

/** A row replaces the former one of the same ask as a whole. */
export function writeAsk(connection: Connection, session: number, row: AskRow): void {
  const columns = toAskColumns(row);
  const values = ASK_COLUMNS.map((column) => columns[column]);
  connection.run(UPSERT, session, ...values, rowChecksum([session, ...values]));
}

/** Throws when the row is not what was stored. */
export function readAsk(connection: Connection, session: number, ask: string): AskRow | undefined {
  const stored = connection.get<StoredAsk>(SELECT_ONE, session, ask);
  if (!stored) return undefined;
  assertAsk(session, stored, ask);
  return toAskRow(stored);
}

/** Of all sessions or one. Damaged rows are reported and left out. */
export function readOpenAsks(
  connection: Connection,
  { session, only, maxBytes, cursor }: AskQuery,
  onDamage: OnDamage,
): { asks: OpenAskRow[]; cursor?: string } {
  const read = (stored: OpenAsk) => {
    assertLogRecord(stored);
    assertAsk(stored.id, stored);
    return { ordinal: stored.ordinal, ask: { ...toAskRow(stored), session: stored.key } };
  };
  const budget = new PageBudget(Number.POSITIVE_INFINITY, maxBytes);
  const asks: OpenAskRow[] = [];
  let last = cursor;
  const rows = selectOpen(connection, cursor, { session, only });
  for (const { ask, ordinal } of skipDamaged(rows, onDamage, read, ({ ask }) => ask)) {
    if (!budget.takeText(ask.opened)) return { asks, cursor: last };
    asks.push(ask);
    last = encodeAskCursor({ openedAt: ask.openedAt, ordinal });
  }
  return { asks };
}

function* selectOpen(
  connection: Connection,
  cursor: string | undefined,
  { session, only }: Pick<AskQuery, "session" | "only">,
): Generator<OpenAsk, void> {
  const { openedAt, ordinal } = cursor === undefined ? FIRST_ASK : decodeAskCursor(cursor);
  // Few asks are open at a time over all sessions, so the one index serves both questions.
  for (const row of connection.iterate<OpenAsk>(SELECT_OPEN, openedAt, ordinal))
    if ((session ?? row.key) === row.key && isAmong(only, { id: row.key, agent: row.agent })) yield row;
}

export function assertAsk(session: number, stored: StoredAsk, ask = stored.ask): void {
  assertChecksum(stored.checksum, `ask "${ask}"`, () => askChecksum(session, { ...stored, ask }));
}

export function askChecksum(session: number, stored: StoredAsk): number {
  return rowChecksum([session, ...ASK_COLUMNS.map((column) => stored[column])]);
}
