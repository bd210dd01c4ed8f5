/** Tokens, invitations and entries of the audit log as both stores on disk have them in their columns. */
import type { AuditEntry, AuditRow, InvitationRow, TokenRow } from "../../core/people-store.ts";
import type { Role } from "../../core/rights.ts";
import { DamagedDataError, parseStored } from "../damaged-data.ts";
import { dropNulls } from "./drop-nulls.ts";

export interface StoredToken {
  id: string;
  hash: string;
  name: string;
  role: Role;
  /** JSON. */
  sessions: string | null;
  /** JSON. */
  agents: string | null;
  created_at: number;
  created_by: string;
  expires_at: number | null;
  invitation: string | null;
  last_used_at: number | null;
}

export interface StoredInvitation {
  id: string;
  hash: string;
  session: string;
  role: Role;
  name: string | null;
  created_at: number;
  created_by: string;
  expires_at: number;
  used_at: number | null;
  token: string | null;
}

export interface StoredAuditEntry {
  seq: number;
  at: number;
  actor: string;
  token: string | null;
  role: Role | null;
  dialect: string;
  action: string;
  session: string | null;
  outcome: AuditEntry["outcome"];
  code: string | null;
  detail: string | null;
}

export const TOKEN_COLUMNS = [
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

export const INVITATION_COLUMNS = [
  "id",
  "hash",
  "session",
  "role",
  "name",
  "created_at",
  "created_by",
  "expires_at",
  "used_at",
  "token",
] as const;

/** Without its number. */
export const AUDIT_COLUMNS = [
  "at",
  "actor",
  "token",
  "role",
  "dialect",
  "action",
  "session",
  "outcome",
  "code",
  "detail",
] as const;

export function toTokenColumns(row: TokenRow): StoredToken {
  return {
    id: row.id,
    hash: row.hash,
    name: row.name,
    role: row.role,
    sessions: row.sessions ? JSON.stringify(row.sessions) : null,
    agents: row.agents ? JSON.stringify(row.agents) : null,
    created_at: row.createdAt,
    created_by: row.createdBy,
    expires_at: row.expiresAt ?? null,
    invitation: row.invitation ?? null,
    last_used_at: row.lastUsedAt ?? null,
  };
}

export function toTokenRow(stored: StoredToken): TokenRow {
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

function toList(json: string | null): string[] | null {
  return json === null ? null : parseStored<string[]>(json, "what a token is for");
}

export function toInvitationColumns(row: InvitationRow): StoredInvitation {
  return {
    id: row.id,
    hash: row.hash,
    session: row.session,
    role: row.role,
    name: row.name ?? null,
    created_at: row.createdAt,
    created_by: row.createdBy,
    expires_at: row.expiresAt,
    used_at: row.usedAt ?? null,
    token: row.token ?? null,
  };
}

export function toInvitationRow(stored: StoredInvitation): InvitationRow {
  return dropNulls({
    id: stored.id,
    hash: stored.hash,
    session: stored.session,
    role: stored.role,
    name: stored.name,
    createdAt: stored.created_at,
    createdBy: stored.created_by,
    expiresAt: stored.expires_at,
    usedAt: stored.used_at,
    token: stored.token,
  });
}

export function toAuditColumns(entry: AuditEntry): Omit<StoredAuditEntry, "seq"> {
  return {
    at: entry.at,
    actor: entry.by,
    token: entry.token ?? null,
    role: entry.role ?? null,
    dialect: entry.dialect,
    action: entry.action,
    session: entry.session ?? null,
    outcome: entry.outcome,
    code: entry.code ?? null,
    detail: entry.detail ?? null,
  };
}

export function toAuditRow(stored: StoredAuditEntry): AuditRow {
  return dropNulls({
    seq: stored.seq,
    at: stored.at,
    by: stored.actor,
    token: stored.token,
    role: stored.role,
    dialect: stored.dialect,
    action: stored.action,
    session: stored.session,
    outcome: stored.outcome,
    code: stored.code,
    detail: stored.detail,
  });
}

/**
 * Throws for a row of another table, on a misplaced page. Asks, tokens and invitations have equally many columns, so the
 * checksum of a row also matches in the other tables. These two columns have other types there.
 */
export function assertPeopleRow(what: string, { id, created_at }: StoredToken | StoredInvitation): void {
  if (typeof id !== "string" || typeof created_at !== "number")
    throw new DamagedDataError(`${what} is a row of another table`);
}
