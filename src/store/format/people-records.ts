/** Tokens, invitations and entries of the audit log as both stores on disk have them in their columns. */
import type { AuditEntry } from "../../core/people-store.ts";
import type { Role } from "../../core/rights.ts";

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
