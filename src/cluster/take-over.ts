/** Takes over sessions that are in the middle of something and have no living owner, a few in each round. */
import type { OwnershipListener } from "../core/ownership.ts";
import type { NodeLease } from "./node-lease.ts";
import type { SessionClaims } from "./session-claims.ts";

/** How many are taken over in one round; others may take the rest. */
const ORPHANS_AT_ONCE = 20;
const ORPHANS_AT_START = 10_000;

/** One that could not be taken over is tried again after this long. */
const ORPHAN_PAUSE_MS = 30_000;

export interface TakeOverOptions {
  lease: Pick<NodeLease, "node">;
  claims: Pick<SessionClaims, "findOrphans">;
  now(): number;
}

export class TakeOver {
  readonly #options: TakeOverOptions;
  /** Until when they are left alone. */
  readonly #skipped = new Map<string, number>();
  /** The last one that was offered for taking over, where there may be younger ones. */
  #lastOffered: string | undefined;

  constructor(options: TakeOverOptions) {
    this.#options = options;
  }

  findOrphans(): Promise<string[]> {
    const { claims, lease } = this.#options;
    return claims.findOrphans(lease.node, { limit: ORPHANS_AT_START });
  }

  /** Rejects where the database cannot be reached. */
  async takeUpOrphans(listener: Pick<OwnershipListener, "orphaned">): Promise<void> {
    const { claims, lease, now } = this.#options;
    for (const [session, until] of this.#skipped) if (until <= now()) this.#skipped.delete(session);
    const orphans = await claims.findOrphans(lease.node, {
      except: [...this.#skipped.keys()],
      after: this.#lastOffered,
      limit: ORPHANS_AT_ONCE,
    });
    // Many that can never be taken over would keep the younger ones waiting if each round began with the oldest.
    this.#lastOffered = orphans.length < ORPHANS_AT_ONCE ? undefined : orphans.at(-1);
    if (orphans.length === 0) return;
    const failed = await listener.orphaned(orphans);
    for (const session of failed) this.#skipped.set(session, now() + ORPHAN_PAUSE_MS);
  }
}
