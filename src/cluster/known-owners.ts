/** Which node had a session when we last asked. It may be wrong: the other node says so. Bounded. */
import type { NodeAddress } from "../core/ownership.ts";

const MAX_OWNERS = 10_000;

export class KnownOwners {
  readonly #owners = new Map<string, NodeAddress>();

  get(session: string): NodeAddress | undefined {
    return this.#owners.get(session);
  }

  note(session: string, owner: NodeAddress): void {
    // The latest is the last to go.
    this.#owners.delete(session);
    this.#owners.set(session, owner);
    if (this.#owners.size <= MAX_OWNERS) return;
    const [oldest] = this.#owners.keys();
    this.#owners.delete(oldest!);
  }

  forget(session: string): void {
    this.#owners.delete(session);
  }
}
