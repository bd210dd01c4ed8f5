/** Tokens, invitations and entries of the audit log as both stores on disk have them in their columns. */
import type { AuditEntry, AuditRow, InvitationRow, TokenRow } from "../../core/people-store.ts";
import { DamagedDataError, parseStored } from "../damaged-data.ts";
import { dropNulls } from "./drop-nulls.ts";
import { type ColumnsOf, columnNames, toColumns, toRow } from "./map-columns.ts";
import { toJson } from "./session-columns.ts";

const TOKEN_FIELDS = {
  id: "id",
  hash: "hash",
  name: "name",
  role: "role",
  sessions: "sessions",
  agents: "agents",
  created_at: "createdAt",
  created_by: "createdBy",
  expires_at: "expiresAt",
  invitation: "invitation",
} as const;

const INVITATION_FIELDS = {
  id: "id",
  hash: "hash",
  session: "session",
  role: "role",
  name: "name",
  created_at: "createdAt",
  created_by: "createdBy",
  expires_at: "expiresAt",
  used_at: "usedAt",
  token: "token",
} as const;

const AUDIT_FIELDS = {
  at: "at",
  actor: "by",
  token: "token",
  role: "role",
  dialect: "dialect",
  action: "action",
  session: "session",
  outcome: "outcome",
  code: "code",
  detail: "detail",
} as const;

/** The two lists are JSON. */
export type StoredToken = Omit<ColumnsOf<TokenRow, typeof TOKEN_FIELDS>, "sessions" | "agents"> & {
  sessions: string | null;
  agents: string | null;
  last_used_at: number | null;
};

export type StoredInvitation = ColumnsOf<InvitationRow, typeof INVITATION_FIELDS>;

type AuditColumns = ColumnsOf<AuditEntry, typeof AUDIT_FIELDS>;

export type StoredAuditEntry = AuditColumns & { seq: number };

export const TOKEN_COLUMNS = columnNames(TOKEN_FIELDS);

export const INVITATION_COLUMNS = columnNames(INVITATION_FIELDS);

/** Without its number. */
export const AUDIT_COLUMNS = columnNames(AUDIT_FIELDS);

export function toTokenColumns(row: TokenRow): StoredToken {
  return {
    ...toColumns(row, TOKEN_FIELDS),
    sessions: toJson(row.sessions),
    agents: toJson(row.agents),
    last_used_at: row.lastUsedAt ?? null,
  };
}

export function toTokenRow(stored: StoredToken): TokenRow {
  const sessions = toList(stored.sessions);
  const agents = toList(stored.agents);
  const row = toRow<TokenRow, typeof TOKEN_FIELDS>({ ...stored, sessions, agents }, TOKEN_FIELDS);
  return dropNulls({ ...row, lastUsedAt: stored.last_used_at });
}

function toList(json: string | null): string[] | null {
  return json === null ? null : parseStored<string[]>(json, "what a token is for");
}

export function toInvitationColumns(row: InvitationRow): StoredInvitation {
  return toColumns(row, INVITATION_FIELDS);
}

export function toInvitationRow(stored: StoredInvitation): InvitationRow {
  return toRow<InvitationRow, typeof INVITATION_FIELDS>(stored, INVITATION_FIELDS);
}

export function toAuditColumns(entry: AuditEntry): AuditColumns {
  return toColumns(entry, AUDIT_FIELDS);
}

export function toAuditRow(stored: StoredAuditEntry): AuditRow {
  return { seq: stored.seq, ...toRow<AuditEntry, typeof AUDIT_FIELDS>(stored, AUDIT_FIELDS) };
}

/**
 * Throws for a row of another table, on a misplaced page. Asks, tokens and invitations have equally many columns, so the
 * checksum of a row also matches in the other tables. These two columns have other types there.
 */
export function assertPeopleRow(what: string, { id, created_at }: StoredToken | StoredInvitation): void {
  if (typeof id !== "string" || typeof created_at !== "number")
    throw new DamagedDataError(`${what} is a row of another table`);
}
