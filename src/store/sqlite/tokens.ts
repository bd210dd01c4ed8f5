/** Tokens as rows of the `token` table. */
import type { TokenRow } from "../../core/people-store.ts";
import { parseStored } from "../damaged-data.ts";
import { assertChecksum, type Checksum, rowChecksum } from "../format/checksum.ts";
import { dropNulls } from "../format/drop-nulls.ts";
import type { StoredToken } from "../format/people-records.ts";
import { type LeaveOut, readRows } from "../read-rows.ts";
import type { Connection } from "./connection.ts";

type CheckedToken = StoredToken & { checksum: Checksum };

const CHECKED = [
  "id",
  "hash",
  "name",
  "role",
  "sessions",
  "agents",
  "created_at",
  "created_by",
  "expires_at",
  "invitation",
] as const;
/** Newer than the checksums, which cover it only where there is one. */
const LAST_USE = "last_used_at";

const ALL = [...CHECKED, LAST_USE, "checksum"];
const SELECT = `SELECT ${ALL.join(", ")} FROM token`;
const INSERT = `INSERT INTO token (${ALL.join(", ")}) VALUES (${ALL.map(() => "?").join(", ")})`;

export function insertToken(connection: Connection, row: TokenRow): void {
  const values = [
    row.id,
    row.hash,
    row.name,
    row.role,
    row.sessions ? JSON.stringify(row.sessions) : null,
    row.agents ? JSON.stringify(row.agents) : null,
    row.createdAt,
    row.createdBy,
    row.expiresAt ?? null,
    row.invitation ?? null,
  ];
  const lastUse = row.lastUsedAt ?? null;
  connection.run(INSERT, ...values, lastUse, checksumOf(values, lastUse));
}

/** In the order they were added. */
export function readTokens(connection: Connection, leaveOut: LeaveOut): TokenRow[] {
  return readRows(
    connection.all<CheckedToken>(`${SELECT} ORDER BY number`),
    leaveOut,
    toTokenRow,
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

function toTokenRow(stored: CheckedToken): TokenRow {
  assertToken(stored);
  return dropNulls({
    id: stored.id,
    hash: stored.hash,
    name: stored.name,
    role: stored.role,
    sessions: toList(stored.sessions),
    agents: toList(stored.agents),
    createdAt: stored.created_at,
    createdBy: stored.created_by,
    expiresAt: stored.expires_at,
    invitation: stored.invitation,
    lastUsedAt: stored.last_used_at,
  });
}

function assertToken(stored: CheckedToken): void {
  assertChecksum(stored.checksum, `token "${stored.id}"`, () =>
    checksumOf(checkedValues(stored), stored.last_used_at),
  );
}

function checkedValues(stored: CheckedToken): (string | number | null)[] {
  return CHECKED.map((column) => stored[column]);
}

function checksumOf(values: readonly (string | number | null)[], lastUse: number | null): number {
  return rowChecksum(lastUse === null ? values : [...values, lastUse]);
}

function toList(json: string | null): string[] | null {
  return json === null ? null : parseStored<string[]>(json, "what a token is for");
}
