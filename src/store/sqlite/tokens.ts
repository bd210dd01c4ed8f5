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
const ALL = [...CHECKED, "checksum"];
const SELECT = `SELECT ${ALL.join(", ")} FROM token ORDER BY number`;
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
  connection.run(INSERT, ...values, rowChecksum(values));
}

/** In the order they were added. */
export function readTokens(connection: Connection, leaveOut: LeaveOut): TokenRow[] {
  return readRows(connection.all<CheckedToken>(SELECT), leaveOut, toTokenRow, ({ id }) => id);
}

export function deleteToken(connection: Connection, id: string): boolean {
  return connection.run("DELETE FROM token WHERE id = ?", id) > 0;
}

function toTokenRow(stored: CheckedToken): TokenRow {
  assertChecksum(stored.checksum, `token "${stored.id}"`, () =>
    rowChecksum(CHECKED.map((column) => stored[column])),
  );
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
  });
}

function toList(json: string | null): string[] | null {
  return json === null ? null : parseStored<string[]>(json, "what a token is for");
}
