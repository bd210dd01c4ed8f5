/** Tokens and invitations as rows. */
import { foldName } from "../../core/fold-name.ts";
import { type InvitationRow, MAX_TOKENS, type TokenRow } from "../../core/people-store.ts";
import { tokenExists, tooManyTokens } from "../../protocol/refusals.ts";
import { parseStored } from "../damaged-data.ts";
import { dropNulls } from "../format/drop-nulls.ts";
import type { StoredInvitation, StoredToken } from "../format/people-records.ts";
import { type LeaveOut, readRows } from "../read-rows.ts";
import type { PostgresConnection, Value } from "./connection.ts";
import { PostgresFailure } from "./postgres-failure.ts";
import { decodeOptional, decodeText, encodeOptional, encodeText } from "./stored-text.ts";

const TOKEN = "id, hash, name, role, sessions, agents, created_at, created_by, expires_at, invitation";
const INVITATION = "id, hash, session, role, name, created_at, created_by, expires_at, used_at, token";

const HAS_ROOM = `(SELECT count(*) FROM token) < ${MAX_TOKENS}`;

const INSERT_TOKEN = `INSERT INTO token (${TOKEN}, folded, last_used_at)
  SELECT $1, $2, $3, $4, $5, $6, $7::bigint, $8, $9::bigint, $10, $11, $12::bigint WHERE ${HAS_ROOM}
  ON CONFLICT (id) DO NOTHING RETURNING id`;

/** A token that has expired leaves its name to others. */
const FREE_NAME = "DELETE FROM token WHERE folded = $1 AND expires_at <= $2";
const INSERT_INVITATION = `INSERT INTO invitation (${INVITATION}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
  ON CONFLICT (id) DO UPDATE SET used_at = excluded.used_at, token = excluded.token`;

/** The condition is checked again once others that want it are done: an invitation gives one token. */
const REDEEM = `WITH used AS (UPDATE invitation SET used_at = $7, token = $1
    WHERE id = $12 AND used_at IS NULL AND expires_at > $7 RETURNING id)
  INSERT INTO token (${TOKEN}, folded)
  SELECT $1, $2, $3, $4, $5, $6, $7::bigint, $8, $9::bigint, $10, $11 FROM used RETURNING id`;

/** SQLSTATE of `unique_violation`. */
const IS_TAKEN = "23505";

/** Throws `token_exists` and `too_many_tokens`: other nodes may have added some that are not known here. */
export async function insertToken(connection: PostgresConnection, row: TokenRow): Promise<void> {
  const values = [...tokenValues(row), row.lastUsedAt ?? null];
  const added = await withFreeName(connection, row, () => connection.write(INSERT_TOKEN, values));
  if (added.length > 0) return;
  const [known] = await connection.query("SELECT 1 FROM token WHERE id = $1", [encodeText(row.id)]);
  if (!known) throw tooManyTokens(MAX_TOKENS);
}

async function withFreeName<Result>(
  connection: PostgresConnection,
  { name, createdAt }: TokenRow,
  add: () => Promise<Result>,
): Promise<Result> {
  await connection.write(FREE_NAME, [encodeText(foldName(name)), createdAt]);
  return add().catch((error: unknown) => {
    throw error instanceof PostgresFailure && error.sqlState === IS_TAKEN ? tokenExists(name) : error;
  });
}

/** See the migration that makes it. */
export async function readTokensVersion(connection: PostgresConnection): Promise<number> {
  const sql = "SELECT value FROM counter WHERE name = 'tokens'";
  return (await connection.query<{ value: number }>(sql))[0]!.value;
}

/** In the order they were added. */
export async function readTokens(connection: PostgresConnection, leaveOut: LeaveOut): Promise<TokenRow[]> {
  const rows = await connection.query<StoredToken>(
    `SELECT ${TOKEN}, last_used_at FROM token ORDER BY number`,
  );
  return readRows(rows, leaveOut, toTokenRow, ({ id }) => id);
}

export async function updateLastUse(connection: PostgresConnection, id: string, at: number): Promise<void> {
  // It may be in use at other nodes, too.
  const sql = "UPDATE token SET last_used_at = greatest(last_used_at, $2::bigint) WHERE id = $1";
  await connection.write(sql, [encodeText(id), at]);
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
  const values = [...tokenValues(token), encodeText(id)];
  const added = await withFreeName(connection, token, () => connection.write(REDEEM, values));
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
    encodeText(foldName(row.name)),
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
