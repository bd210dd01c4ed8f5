/** Tokens as rows of the `token` table. */
import type { TokenRow } from "../../core/people-store.ts";
import { assertChecksum, type Checksum, rowChecksum } from "../format/checksum.ts";
import {
  assertPeopleRow,
  type StoredToken,
  TOKEN_COLUMNS,
  toTokenColumns,
  toTokenRow,
} from "../format/people-records.ts";
import { type LeaveOut, readRows } from "../read-rows.ts";
import type { Connection } from "./connection.ts";

type CheckedToken = StoredToken & { checksum: Checksum };

/** The checksum covers it only where there is one. */
const LAST_USE = "last_used_at";

const ALL = [...TOKEN_COLUMNS, LAST_USE, "checksum"];
const SELECT = `SELECT ${ALL.join(", ")} FROM token`;
const INSERT = `INSERT INTO token (${ALL.join(", ")}) VALUES (${ALL.map(() => "?").join(", ")})`;

export function insertToken(connection: Connection, row: TokenRow): void {
  const columns = toTokenColumns(row);
  const values = checkedValues(columns);
  const lastUse = columns.last_used_at;
  connection.run(INSERT, ...values, lastUse, checksumOf(values, lastUse));
}

/** In the order they were added. */
export function readTokens(connection: Connection, leaveOut: LeaveOut): TokenRow[] {
  return readRows(
    connection.all<CheckedToken>(`${SELECT} ORDER BY number`),
    leaveOut,
    readStored,
    ({ id }) => id,
  );
}

/** Throws when the row is damaged: a new checksum would hide it. */
export function updateLastUse(connection: Connection, id: string, at: number): void {
  const stored = connection.get<CheckedToken>(`${SELECT} WHERE id = ?`, id);
  if (!stored) return;
  assertToken(stored);
  const checksum = checksumOf(checkedValues(stored), at);
  connection.run("UPDATE token SET last_used_at = ?, checksum = ? WHERE id = ?", at, checksum, id);
}

export function deleteToken(connection: Connection, id: string): boolean {
  return connection.run("DELETE FROM token WHERE id = ?", id) > 0;
}

function readStored(stored: CheckedToken): TokenRow {
  assertToken(stored);
  return toTokenRow(stored);
}

function assertToken(stored: CheckedToken): void {
  const what = `token "${stored.id}"`;
  assertPeopleRow(what, stored);
  assertChecksum(stored.checksum, what, () => checksumOf(checkedValues(stored), stored.last_used_at));
}

function checkedValues(stored: StoredToken): (string | number | null)[] {
  return TOKEN_COLUMNS.map((column) => stored[column]);
}

function checksumOf(values: readonly (string | number | null)[], lastUse: number | null): number {
  return rowChecksum(lastUse === null ? values : [...values, lastUse]);
}
