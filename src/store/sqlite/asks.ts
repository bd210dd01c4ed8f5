/** Asks: what waits for a person, or did. */
import type { AskRow } from "../../core/store.ts";
import { assertChecksum, type Checksum, rowChecksum } from "./checksum.ts";
import type { Connection } from "./connection.ts";
import { dropNulls } from "./drop-nulls.ts";
import { type OnDamage, passOver } from "./pass-over-damaged.ts";
import { assertLogRecord, LOG_COLUMNS, type LogRecord } from "./session-row.ts";

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
  checksum: Checksum;
}

const CHECKED = [
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
const ALL = [...CHECKED, "checksum"];
const COLUMNS = ALL.map((column) => `ask.${column}`).join(", ");

const UPSERT = `INSERT INTO ask (session, ${ALL.join(", ")}) VALUES (?, ${ALL.map(() => "?").join(", ")})
  ON CONFLICT (session, ask) DO UPDATE SET ${ALL.map((column) => `${column} = excluded.${column}`).join(", ")}`;

/** All that the session ever had. */
export const SELECT_ASKS = `SELECT ${COLUMNS} FROM ask WHERE ask.session = ?`;
const SELECT_ONE = `SELECT ${COLUMNS} FROM ask WHERE ask.session = ? AND ask.ask = ?`;
export const SELECT_OPEN = `SELECT ${COLUMNS}, ${LOG_COLUMNS} FROM ask JOIN session ON session.id = ask.session
  WHERE ask.state = 'open' ORDER BY ask.opened_at, ask.id`;

/** A row replaces the former one of the same ask as a whole. */
export function writeAsk(connection: Connection, session: number, row: AskRow): void {
  const values = [
    row.ask,
    row.kind,
    row.state,
    row.openedSeq,
    row.openedAt,
    row.expiresAt ?? null,
    row.opened,
    row.answered ?? null,
    row.outcome ?? null,
  ];
  connection.run(UPSERT, session, ...values, rowChecksum([session, ...values]));
}

/** Throws when the row is not what was stored. */
export function readAsk(connection: Connection, session: number, ask: string): AskRow | undefined {
  const stored = connection.get<StoredAsk>(SELECT_ONE, session, ask);
  if (!stored) return undefined;
  assertAsk(session, stored, ask);
  return toAskRow(stored);
}

/** Of all sessions. Rows that are damaged are told of and left out. */
export function readOpenAsks(connection: Connection, onDamage: OnDamage): (AskRow & { session: string })[] {
  const read = (stored: StoredAsk & LogRecord) => {
    assertLogRecord(stored);
    assertAsk(stored.id, stored);
    return { ...toAskRow(stored), session: stored.key };
  };
  const rows = connection.all<StoredAsk & LogRecord>(SELECT_OPEN);
  return passOver(rows, onDamage, read, ({ ask }) => ask);
}

export function assertAsk(session: number, stored: StoredAsk, ask = stored.ask): void {
  assertChecksum(stored.checksum, `ask "${ask}"`, () => askChecksum(session, { ...stored, ask }));
}

export function askChecksum(session: number, stored: StoredAsk): number {
  return rowChecksum([session, ...CHECKED.map((column) => stored[column])]);
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
