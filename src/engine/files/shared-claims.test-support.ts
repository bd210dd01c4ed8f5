/** Claims of several engines on one store in memory, for tests of what an engine does with them. */
import {
  type Claim,
  FIRST_EPOCH,
  type NodeAddress,
  type Ownership,
  type OwnershipListener,
} from "../../core/ownership.ts";
import type { SessionAppend, Store } from "../../core/store.ts";
import { instrumentStore } from "../../testkit/instrument-store.ts";

interface Holder {
  owner?: TestNode;
  epoch: number;
}

/** One engine's view of the store, and its claims. */
export interface TestNode {
  readonly address: NodeAddress;
  readonly store: Store;
  readonly ownership: Ownership;
  /** What the engine wants to be told. */
  readonly listener: () => OwnershipListener;
  /** Others may claim what it has. It is not told. */
  die(): void;
  suspend(): { resume(): void };
}

export class SharedClaims {
  readonly #store: Store;
  readonly #holders = new Map<string, Holder>();
  readonly #dead = new Set<TestNode>();
  #nodes = 0;

  constructor(store: Store) {
    this.#store = store;
  }

  ownerOf(session: string): string | undefined {
    return this.#holders.get(session)?.owner?.address.name;
  }

  join(name: string): TestNode {
    this.#nodes += 1;
    const address = { id: this.#nodes, name };
    let listener: OwnershipListener | undefined;
    let suspended: PromiseWithResolvers<void> | undefined;
    const ownership: Ownership = {
      nodeName: name,
      claim: (session) => this.#claim(session, node),
      claimNew: (session) => {
        this.#holders.set(session, { owner: node, epoch: FIRST_EPOCH });
        return { node: address.id, epoch: FIRST_EPOCH };
      },
      release: (session, claim) => {
        const holder = this.#holders.get(session);
        if (holder?.epoch === claim?.epoch) this.#holders.set(session, { epoch: holder!.epoch });
      },
      findOrphans: async () => {
        const unfinished = await this.#store.unfinishedSessions();
        return unfinished.filter((session) => this.#isFree(session));
      },
      get suspended() {
        return suspended?.promise;
      },
      listen: (given) => {
        listener = given;
      },
    };
    const node: TestNode = {
      address,
      ownership,
      store: instrumentStore(this.#store, { append: (batch) => this.#append(batch) }),
      listener: () => listener!,
      die: () => this.#dead.add(node),
      suspend: () => {
        suspended = Promise.withResolvers();
        listener?.suspended();
        return {
          resume() {
            suspended?.resolve();
            suspended = undefined;
          },
        };
      },
    };
    return node;
  }

  #isFree(session: string): boolean {
    const owner = this.#holders.get(session)?.owner;
    return owner === undefined || this.#dead.has(owner);
  }

  #claim(session: string, node: TestNode) {
    const holder = this.#holders.get(session);
    if (!holder) return undefined;
    if (!this.#isFree(session) && holder.owner !== node) return { owner: holder.owner!.address };
    const claim: Claim = { node: node.address.id, epoch: holder.epoch + 1 };
    this.#holders.set(session, { owner: node, epoch: claim.epoch });
    return { claim, lostNode: holder.owner?.address.name };
  }

  async #append(batch: readonly SessionAppend[]) {
    const isRefused = ({ session, claim }: SessionAppend) =>
      this.#holders.get(session)?.epoch !== claim?.epoch;
    await this.#store.append(batch.filter((append) => !isRefused(append)));
    return { refused: batch.filter(isRefused).map(({ session }) => session) };
  }
}
