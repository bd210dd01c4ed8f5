/** Who holds which token. */
import type { Access } from "../../core/rights.ts";

export interface Callers {
  /**
   * What a token gives access to, the same object each time: what is made for a caller is kept by it. Undefined for one
   * that is unknown, revoked or expired. Takes no time that tells anything about other tokens.
   */
  find(token: string): Access | undefined;
  /**
   * For a token that `find` does not know: another daemon on the same store may have made it just now. Absent where there is
   * none.
   */
  lookUp?(token: string): Promise<Access | undefined>;
  /** Whether what `find` gave is good still: a token may end while its request is being read. */
  isAccepted(access: Access): boolean;
}

/** Whoever shows no token, where none is needed. */
export const ANYBODY: Access = { name: "anybody", role: "observer", sessions: [], agents: [] };
