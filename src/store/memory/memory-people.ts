/** Tokens, invitations and the audit log of the store in memory. */
import {
  type AuditEntry,
  type AuditPage,
  type AuditQuery,
  type AuditRow,
  type InvitationRow,
  MAX_AUDIT_ENTRIES,
  type PeopleStore,
  type TokenRow,
} from "../../core/people-store.ts";

export class MemoryPeople implements PeopleStore {
  readonly #tokens = new Map<string, TokenRow>();
  readonly #invitations = new Map<string, InvitationRow>();
  #audit: AuditRow[] = [];
  #lastSeq = 0;

  async listTokens(): Promise<TokenRow[]> {
    return structuredClone([...this.#tokens.values()]);
  }

  async addToken(row: TokenRow): Promise<void> {
    this.#tokens.set(row.id, structuredClone(row));
  }

  async noteTokenUse(id: string, at: number): Promise<void> {
    const row = this.#tokens.get(id);
    if (row) this.#tokens.set(id, { ...row, lastUsedAt: at });
  }

  async removeToken(id: string): Promise<boolean> {
    return this.#tokens.delete(id);
  }

  async listInvitations(session?: string): Promise<InvitationRow[]> {
    const all = [...this.#invitations.values()];
    return structuredClone(all.filter((row) => session === undefined || row.session === session));
  }

  async getInvitation(id: string): Promise<InvitationRow | undefined> {
    return structuredClone(this.#invitations.get(id));
  }

  async addInvitation(row: InvitationRow): Promise<void> {
    this.#invitations.set(row.id, structuredClone(row));
  }

  async redeemInvitation(id: string, token: TokenRow): Promise<boolean> {
    const row = this.#invitations.get(id);
    if (!row || row.usedAt !== undefined || row.expiresAt <= token.createdAt) return false;
    this.#tokens.set(token.id, structuredClone(token));
    this.#invitations.set(id, { ...row, usedAt: token.createdAt, token: token.id });
    return true;
  }

  async removeInvitation(id: string): Promise<boolean> {
    for (const token of this.#tokens.values()) if (token.invitation === id) this.#tokens.delete(token.id);
    return this.#invitations.delete(id);
  }

  async removeExpired(until: { tokens: number; invitations: number }): Promise<void> {
    for (const { id, expiresAt = Number.POSITIVE_INFINITY } of this.#tokens.values())
      if (expiresAt <= until.tokens) this.#tokens.delete(id);
    for (const { id, expiresAt } of this.#invitations.values())
      if (expiresAt <= until.invitations) this.#invitations.delete(id);
  }

  async appendAudit(entries: readonly AuditEntry[]): Promise<void> {
    for (const entry of entries) {
      this.#lastSeq += 1;
      this.#audit.push({ seq: this.#lastSeq, ...structuredClone(entry) });
    }
    // Not with every entry: shifting a long array costs.
    if (this.#audit.length > 1.1 * MAX_AUDIT_ENTRIES) this.#audit = this.#keptEntries();
  }

  async readAudit({ limit, before, session, by }: AuditQuery): Promise<AuditPage> {
    const entries: AuditRow[] = [];
    for (const row of this.#keptEntries().reverse()) {
      if (row.seq >= (before ?? Number.POSITIVE_INFINITY) || row.session !== (session ?? row.session))
        continue;
      if (by !== undefined && row.by !== by && !row.by.startsWith(`${by} (`)) continue;
      if (entries.length === limit) return { entries, before: entries.at(-1)?.seq };
      entries.push(structuredClone(row));
    }
    return { entries };
  }

  #keptEntries(): AuditRow[] {
    return this.#audit.slice(-MAX_AUDIT_ENTRIES);
  }

  /** With the tokens they were exchanged for. */
  protected removeInvitationsOf(session: string): void {
    for (const row of this.#invitations.values())
      if (row.session === session) void this.removeInvitation(row.id);
  }
}
