/** Who holds which token. */
import { type Access, OWNER } from "../../core/rights.ts";
import { TokenCheck } from "../auth.ts";

export interface Callers {
  /**
   * What a token gives access to, the same object each time: what is made for a caller is kept by it. Undefined for one
   * that is unknown, revoked or expired. Takes no time that tells anything about other tokens.
   */
  find(token: string): Access | undefined;
}

/** Knows the token of the daemon itself, whose holder may do everything. Throws for an empty one. */
export function ownerOnly(token: string): Callers {
  const check = new TokenCheck(token);
  return { find: (shown) => (check.accepts(shown) ? OWNER : undefined) };
}

/** Whoever shows no token, where none is needed. */
export const ANYBODY: Access = { name: "anybody", role: "observer", sessions: [], agents: [] };
