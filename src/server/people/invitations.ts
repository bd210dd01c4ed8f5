/** Invitations to one session: a code that is shown once and can be exchanged once, for a token. */
import { InterlinguaError } from "../../core/error.ts";
import type { InvitationRow, PeopleStore, TokenRow } from "../../core/people-store.ts";
import type { Role } from "../../core/rights.ts";
import { isCredential } from "./compare-tokens.ts";
import { createCredential, credentialId } from "./credential.ts";
import { TOKEN_DAY_MS } from "./limits.ts";
import type { TokenBook } from "./token-book.ts";
import { written } from "./written.ts";

export interface InvitationDependencies {
  store: Pick<
    PeopleStore,
    | "listInvitations"
    | "getInvitation"
    | "addInvitation"
    | "redeemInvitation"
    | "removeInvitation"
    | "removeExpired"
  >;
  tokens: Pick<TokenBook, "reserve" | "isTaken" | "forget">;
  now?: () => number;
}

export interface NewInvitation {
  session: string;
  role: Role;
  /** Of whoever is invited. They choose when absent. */
  name?: string;
  expiresInMs: number;
  createdBy: string;
  /** When whoever invites loses the right to. */
  until?: number;
}

/** How many people one session can be invited to at a time. */
export const MAX_INVITATIONS = 100;

/** How many names are tried that only the store knows to be taken. */
const MAX_TAKEN_NAMES = 100;

/** Of whoever gives no name. */
const NAMELESS = "guest";

export class Invitations {
  readonly #store: InvitationDependencies["store"];
  readonly #tokens: InvitationDependencies["tokens"];
  readonly #now: () => number;

  constructor({ store, tokens, now = Date.now }: InvitationDependencies) {
    this.#store = store;
    this.#tokens = tokens;
    this.#now = now;
  }

  /** The session exists. Throws `too_many_tokens`. */
  async create(given: NewInvitation): Promise<{ code: string; row: InvitationRow }> {
    const { session, role, name, expiresInMs, createdBy, until = Number.POSITIVE_INFINITY } = given;
    if ((await this.list(session)).length >= MAX_INVITATIONS)
      throw new InterlinguaError(
        "too_many_tokens",
        `There are ${MAX_INVITATIONS} invitations to this session, which is the most there may be. Revoke some, or wait until they expire.`,
      );
    const { id, text, hash } = createCredential("inv");
    const now = this.#now();
    // So that there are never many. One is kept as long as its token might be.
    await written(this.#store.removeExpired({ tokens: now, invitations: now - TOKEN_DAY_MS }));
    const row: InvitationRow = {
      id,
      hash,
      session,
      role,
      ...(name !== undefined && { name }),
      createdAt: now,
      createdBy,
      expiresAt: Math.min(now + Math.min(expiresInMs, TOKEN_DAY_MS), until),
    };
    await written(this.#store.addInvitation(row));
    return { code: text, row };
  }

  /** Those that can still be used, and those whose token can. */
  async list(session: string): Promise<InvitationRow[]> {
    const now = this.#now();
    const rows = await this.#store.listInvitations(session);
    return rows.filter(
      ({ expiresAt, usedAt }) => now < (usedAt === undefined ? expiresAt : usedAt + TOKEN_DAY_MS),
    );
  }

  /** Ends the token it was exchanged for, too. Throws `invitation_not_found`. */
  async remove(session: string, id: string): Promise<InvitationRow> {
    const row = await this.#store.getInvitation(id);
    if (row?.session !== session) throw invitationNotFound(id);
    if (!(await written(this.#store.removeInvitation(id)))) throw invitationNotFound(id);
    this.#tokens.forget(({ invitation }) => invitation === id);
    return row;
  }

  /**
   * A token for the one session. Throws `invitation_not_found` for a code that nobody was given, `invitation_expired`, and
   * `invitation_used` for whoever comes second.
   */
  async redeem(code: string, name?: string): Promise<{ token: string; row: TokenRow; session: string }> {
    const id = credentialId("inv", code);
    const invitation = id === undefined ? undefined : await this.#store.getInvitation(id);
    const isRight = isCredential(code, invitation?.hash);
    if (!invitation || !isRight) throw wrongCode();
    this.#assertUsable(invitation);
    const made = await this.#exchange(invitation, invitation.name ?? name ?? NAMELESS);
    // It, or its session, may have been removed while the token was stored.
    if (await this.#store.getInvitation(invitation.id)) return made;
    this.#tokens.forget((row) => row.invitation === invitation.id);
    throw wrongCode();
  }

  /** Another daemon on the same store may have taken a name that is free here: then the next one is tried. */
  async #exchange(
    invitation: InvitationRow,
    wanted: string,
  ): Promise<{ token: string; row: TokenRow; session: string }> {
    const { id, role, session, createdBy } = invitation;
    const taken = new Set<string>();
    for (;;) {
      const name = this.#freeName(wanted, taken);
      const expiresAt = this.#now() + TOKEN_DAY_MS;
      const given = { name, role, sessions: [session], expiresAt, createdBy, invitation: id };
      try {
        return await this.#tokens.reserve(given, async (token, row) => {
          if (!(await written(this.#store.redeemInvitation(id, row)))) throw used();
          return { token, row, session };
        });
      } catch (error) {
        if (!isNameTaken(error) || taken.size >= MAX_TAKEN_NAMES) throw error;
        taken.add(name);
      }
    }
  }

  #assertUsable({ usedAt, expiresAt }: InvitationRow): void {
    if (usedAt !== undefined) throw used();
    if (expiresAt <= this.#now())
      throw new InterlinguaError(
        "invitation_expired",
        "This invitation has expired. Ask whoever invited you for a new one.",
      );
  }

  /** Two people may choose the same name; the second is `anna 2`. */
  #freeName(name: string, taken: ReadonlySet<string>): string {
    let free = name;
    for (let n = 2; taken.has(free) || this.#tokens.isTaken(free); n += 1) free = `${name} ${n}`;
    return free;
  }
}

function isNameTaken(error: unknown): boolean {
  return InterlinguaError.isInstance(error) && error.code === "token_exists";
}

export function invitationNotFound(id: string): InterlinguaError {
  return new InterlinguaError(
    "invitation_not_found",
    `There is no invitation "${id}" to this session. GET …/invitations lists those there are.`,
  );
}

function wrongCode(): InterlinguaError {
  return new InterlinguaError(
    "invitation_not_found",
    "There is no invitation with this code, or it was revoked. Copy the whole link, or ask whoever invited you for a new one.",
    { errors: [{ path: "code", message: "is not the code of an invitation" }] },
  );
}

function used(): InterlinguaError {
  return new InterlinguaError(
    "invitation_used",
    "This invitation was used before, and each can be used once. If it was not you, tell whoever invited you: they can revoke it and make a new one.",
  );
}
