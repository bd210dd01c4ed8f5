/** What one caller may do, in one client protocol. */
import { InterlinguaError } from "../../core/error.ts";
import { type Principal, principal } from "../../core/principal.ts";
import { type Access, hasRight, type Right } from "../../core/rights.ts";
import { lacksRight } from "../../protocol/refusals.ts";
import type { OnRefused } from "./refused.ts";

/** Who acts on which session, and by which field. */
export interface Attempt {
  by?: Principal;
  session?: string;
  path?: string;
}

export class AccessCheck {
  readonly access: Access;
  readonly #caller: Principal;
  readonly #onRefused: OnRefused;

  constructor(access: Access, dialect: string, onRefused: OnRefused) {
    this.access = access;
    this.#caller = principal(access.name, dialect, access);
    this.#onRefused = onRefused;
  }

  has(right: Right): boolean {
    return hasRight(this.access, right);
  }

  /** Throws `forbidden`. */
  assert(right: Right, attempt: Attempt = {}): void {
    if (!this.has(right)) throw this.refuse(right, attempt);
  }

  refuse(right: Right, { by = this.#caller, session, path }: Attempt = {}): Error {
    this.#onRefused(by, right, session);
    return lacksRight(right, this.access, { path });
  }

  /** Some refusals are made where the session is. They are noted here. */
  async noted<Result>(work: Promise<Result>, { by = this.#caller, session }: Attempt): Promise<Result> {
    try {
      return await work;
    } catch (error) {
      const right = InterlinguaError.isInstance(error) ? error.extras.right : undefined;
      if (right) this.#onRefused(by, right, session);
      throw error;
    }
  }
}
