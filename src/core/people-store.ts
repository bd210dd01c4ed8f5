/** The part of the port to storage that knows who may use the daemon, who was invited, and who did what. */
import type { Role } from "./rights.ts";

/** A token as it is stored: never the token itself. */
export interface TokenRow {
  id: string;
  /** SHA-256 of the whole token, in hex. */
  hash: string;
  /** As it stands in logs. */
  name: string;
  role: Role;
  /** The only sessions it is for, by id; all when absent. */
  sessions?: readonly string[];
  /** The only agents it is for; all when absent. */
  agents?: readonly string[];
  createdAt: number;
  /** The name of whoever made it. */
  createdBy: string;
  expiresAt?: number;
  /** The invitation it was given for. */
  invitation?: string;
  /** To about a minute. Absent while nobody used it. */
  lastUsedAt?: number;
}

/** An invitation to one session as it is stored: never its code. */
export interface InvitationRow {
  id: string;
  /** SHA-256 of the whole code, in hex. */
  hash: string;
  session: string;
  role: Role;
  /** Of whoever is invited. */
  name?: string;
  createdAt: number;
  createdBy: string;
  expiresAt: number;
  /** When it was exchanged for a token, and the id of that. */
  usedAt?: number;
  token?: string;
}

/** Somebody did something, or was refused. Has no contents and no secrets. */
export interface AuditEntry {
  at: number;
  /** The name of whoever acted, with that of the client where it gives one. */
  by: string;
  /** The id of the token; absent for the token of the daemon itself, and where nobody showed one. */
  token?: string;
  role?: Role;
  /** `v1`, or the name of a dialect. */
  dialect: string;
  /** The right that was used, or what was done with tokens and invitations, such as `token.create`. */
  action: string;
  session?: string;
  outcome: "done" | "refused";
  /** Of the error it was refused with. */
  code?: string;
  detail?: string;
}

export interface AuditRow extends AuditEntry {
  /** Rises from entry to entry. Where several daemons write, some numbers are missing. */
  seq: number;
}

export interface AuditQuery {
  limit: number;
  /** Only entries with a smaller seq. */
  before?: number;
  session?: string;
  /** A name without that of a client: `anna` is also `anna (phone)`. */
  by?: string;
}

export interface AuditPage {
  entries: AuditRow[];
  /** The next page has entries before this one. Absent on the last page. */
  before?: number;
}

/** How many tokens there may be, besides those of the daemons. */
export const MAX_TOKENS = 1000;

/** How many entries are kept, the newest ones. */
export const MAX_AUDIT_ENTRIES = 100_000;

/** Each write takes effect whole or not at all, and is on disk when it resolves. */
export interface PeopleStore {
  /** In the order they were added. What is damaged is left out. */
  listTokens(): Promise<TokenRow[]>;
  /**
   * Rises with every token that is added or removed, by whomever. Absent where no other daemon can share the store. What
   * `listTokens` gives afterwards is at least as new.
   */
  tokensVersion?(): Promise<number>;
  /**
   * Where daemons share the store, it throws `token_exists` if a living token has a name that reads like this one, and
   * `too_many_tokens`.
   */
  addToken(row: TokenRow): Promise<void>;
  /** Sets `lastUsedAt`. Does nothing where there is no such token. */
  noteTokenUse(id: string, at: number): Promise<void>;
  /** True if it existed. */
  removeToken(id: string): Promise<boolean>;
  /** Of one session, or all; in the order they were added. What is damaged is left out. */
  listInvitations(session?: string): Promise<InvitationRow[]>;
  getInvitation(id: string): Promise<InvitationRow | undefined>;
  addInvitation(row: InvitationRow): Promise<void>;
  /**
   * Adds the token and marks the invitation as used at the time the token was created. False, and nothing is changed, if
   * it was used before, has expired by then or does not exist: of several calls at most one gets true. Throws as `addToken`
   * does, and then it is not used.
   */
  redeemInvitation(id: string, token: TokenRow): Promise<boolean>;
  /** Removes an invitation together with the token it was exchanged for. True if it existed. */
  removeInvitation(id: string): Promise<boolean>;
  /** Removes tokens that expired at `tokens` or before, and invitations that did so at `invitations` or before. */
  removeExpired(until: { tokens: number; invitations: number }): Promise<void>;
  /** In the given order. Older entries than the newest `MAX_AUDIT_ENTRIES` are removed. */
  appendAudit(entries: readonly AuditEntry[]): Promise<void>;
  /** Newest first. What is damaged is left out. */
  readAudit(query: AuditQuery): Promise<AuditPage>;
}
