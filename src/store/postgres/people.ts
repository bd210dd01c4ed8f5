/** Tokens and invitations as rows. */
import { foldName } from "../../core/fold-name.ts";
import { type InvitationRow, MAX_TOKENS, type TokenRow } from "../../core/people-store.ts";
import { tokenExists, tooManyTokens } from "../../protocol/refusals.ts";
import {
  INVITATION_COLUMNS,
  type StoredInvitation,
  type StoredToken,
  TOKEN_COLUMNS,
  toInvitationColumns,
  toInvitationRow,
  toTokenColumns,
  toTokenRow,
} from "../format/people-records.ts";
import { type LeaveOut, readRows } from "../read-rows.ts";
import type { PostgresConnection, Value } from "./connection.ts";
import { PostgresFailure } from "./postgres-failure.ts";
import { decodeTexts, encodeOptional, encodeText, encodeTexts } from "./stored-text.ts";

const TOKEN = TOKEN_COLUMNS.join(", ");
/** Stored as they are. */
const JSON_COLUMNS = ["sessions", "agents"] as const;
const INVITATION = INVITATION_COLUMNS.join(", ");

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

/** See `TOKEN_TABLES`. */
export async function readTokensVersion(connection: PostgresConnection): Promise<number> {
  const sql = "SELECT value FROM counter WHERE name = 'tokens'";
  return (await connection.query<{ value: number }>(sql))[0]!.value;
}

/** In the order they were added. */
export async function readTokens(connection: PostgresConnection, leaveOut: LeaveOut): Promise<TokenRow[]> {
  const rows = await connection.query<StoredToken>(
    `SELECT ${TOKEN}, last_used_at FROM token ORDER BY number`,
  );
  return readRows(
    rows,
    leaveOut,
    (row) => toTokenRow(decodeTexts(row, JSON_COLUMNS)),
    ({ id }) => id,
  );
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
  const columns = encodeTexts(toInvitationColumns(row));
  await connection.write(
    INSERT_INVITATION,
    INVITATION_COLUMNS.map((column) => columns[column]),
  );
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
  return readRows(
    rows,
    leaveOut,
    (row) => toInvitationRow(decodeTexts(row)),
    ({ id }) => id,
  );
}

export async function readInvitation(
  connection: PostgresConnection,
  id: string,
): Promise<InvitationRow | undefined> {
  const sql = `SELECT ${INVITATION} FROM invitation WHERE id = $1`;
  const [stored] = await connection.query<StoredInvitation>(sql, [encodeText(id)]);
  return stored && toInvitationRow(decodeTexts(stored));
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
  const columns = encodeTexts(toTokenColumns(row), JSON_COLUMNS);
  return [...TOKEN_COLUMNS.map((column) => columns[column]), encodeText(foldName(row.name))];
}
