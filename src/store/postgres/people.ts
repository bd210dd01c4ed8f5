/** Tokens and invitations as rows. */
import type { InvitationRow, TokenRow } from "../../core/people-store.ts";
import { parseStored } from "../damaged-data.ts";
import { dropNulls } from "../format/drop-nulls.ts";
import type { StoredInvitation, StoredToken } from "../format/people-records.ts";
import { type LeaveOut, readRows } from "../read-rows.ts";
import type { PostgresConnection, Value } from "./connection.ts";
import { decodeOptional, decodeText, encodeOptional, encodeText } from "./stored-text.ts";

const TOKEN = "id, hash, name, role, sessions, agents, created_at, created_by, expires_at, invitation";
const INVITATION = "id, hash, session, role, name, created_at, created_by, expires_at, used_at, token";

const INSERT_TOKEN = `INSERT INTO token (${TOKEN}, last_used_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
  ON CONFLICT (id) DO NOTHING`;
const INSERT_INVITATION = `INSERT INTO invitation (${INVITATION}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
  ON CONFLICT (id) DO UPDATE SET used_at = excluded.used_at, token = excluded.token`;

/** The condition is checked again once others that want it are done: an invitation gives one token. */
const REDEEM = `WITH used AS (UPDATE invitation SET used_at = $7, token = $1
    WHERE id = $11 AND used_at IS NULL AND expires_at > $7 RETURNING id)
  INSERT INTO token (${TOKEN}) SELECT $1, $2, $3, $4, $5, $6, $7::bigint, $8, $9::bigint, $10 FROM used RETURNING id`;

export async function insertToken(connection: PostgresConnection, row: TokenRow): Promise<void> {
  await connection.write(INSERT_TOKEN, [...tokenValues(row), row.lastUsedAt ?? null]);
}

/** In the order they were added. */
export async function readTokens(connection: PostgresConnection, leaveOut: LeaveOut): Promise<TokenRow[]> {
  const rows = await connection.query<StoredToken>(
    `SELECT ${TOKEN}, last_used_at FROM token ORDER BY number`,
  );
  return readRows(rows, leaveOut, toTokenRow, ({ id }) => id);
}

export async function updateLastUse(connection: PostgresConnection, id: string, at: number): Promise<void> {
  await connection.write("UPDATE token SET last_used_at = $2 WHERE id = $1", [encodeText(id), at]);
}

export async function deleteToken(connection: PostgresConnection, id: string): Promise<boolean> {
  const removed = await connection.write("DELETE FROM token WHERE id = $1 RETURNING id", [encodeText(id)]);
  return removed.length > 0;
}

export async function writeInvitation(connection: PostgresConnection, row: InvitationRow): Promise<void> {
  await connection.write(INSERT_INVITATION, [
    encodeText(row.id),
    encodeText(row.hash),
    encodeText(row.session),
    row.role,
    encodeOptional(row.name),
    row.createdAt,
    encodeText(row.createdBy),
    row.expiresAt,
    row.usedAt ?? null,
    encodeOptional(row.token),
  ]);
}

/** Of one session or all, in the order they were added. */
export async function readInvitations(
  connection: PostgresConnection,
  session: string | undefined,
  leaveOut: LeaveOut,
): Promise<InvitationRow[]> {
  const rows = await connection.query<StoredInvitation>(
    `SELECT ${INVITATION} FROM invitation WHERE $1::text IS NULL OR session = $1 ORDER BY number`,
    [encodeOptional(session)],
  );
  return readRows(rows, leaveOut, toInvitationRow, ({ id }) => id);
}

export async function readInvitation(
  connection: PostgresConnection,
  id: string,
): Promise<InvitationRow | undefined> {
  const sql = `SELECT ${INVITATION} FROM invitation WHERE id = $1`;
  const [stored] = await connection.query<StoredInvitation>(sql, [encodeText(id)]);
  return stored && toInvitationRow(stored);
}

export async function redeemInvitation(
  connection: PostgresConnection,
  id: string,
  token: TokenRow,
): Promise<boolean> {
  const added = await connection.write(REDEEM, [...tokenValues(token), encodeText(id)]);
  return added.length > 0;
}

export async function deleteInvitation(connection: PostgresConnection, id: string): Promise<boolean> {
  const sql = `WITH tokens AS (DELETE FROM token WHERE invitation = $1)
    DELETE FROM invitation WHERE id = $1 RETURNING id`;
  return (await connection.write(sql, [encodeText(id)])).length > 0;
}

export async function deleteExpired(
  connection: PostgresConnection,
  until: { tokens: number; invitations: number },
): Promise<void> {
  const sql = `WITH tokens AS (DELETE FROM token WHERE expires_at <= $1)
    DELETE FROM invitation WHERE expires_at <= $2`;
  await connection.write(sql, [until.tokens, until.invitations]);
}

function tokenValues(row: TokenRow): Value[] {
  return [
    encodeText(row.id),
    encodeText(row.hash),
    encodeText(row.name),
    row.role,
    row.sessions ? JSON.stringify(row.sessions) : null,
    row.agents ? JSON.stringify(row.agents) : null,
    row.createdAt,
    encodeText(row.createdBy),
    row.expiresAt ?? null,
    encodeOptional(row.invitation),
  ];
}

function toTokenRow(stored: StoredToken): TokenRow {
  return dropNulls({
    id: decodeText(stored.id),
    hash: decodeText(stored.hash),
    name: decodeText(stored.name),
    role: stored.role,
    sessions: toList(stored.sessions),
    agents: toList(stored.agents),
    createdAt: stored.created_at,
    createdBy: decodeText(stored.created_by),
    expiresAt: stored.expires_at,
    invitation: decodeOptional(stored.invitation),
    lastUsedAt: stored.last_used_at,
  });
}

function toInvitationRow(stored: StoredInvitation): InvitationRow {
  return dropNulls({
    id: decodeText(stored.id),
    hash: decodeText(stored.hash),
    session: decodeText(stored.session),
    role: stored.role,
    name: decodeOptional(stored.name),
    createdAt: stored.created_at,
    createdBy: decodeText(stored.created_by),
    expiresAt: stored.expires_at,
    usedAt: stored.used_at,
    token: decodeOptional(stored.token),
  });
}

function toList(json: string | null): string[] | null {
  return json === null ? null : parseStored<string[]>(json, "what a token is for");
}
