/**
 * The port to the right of writing a session's log. One daemon alone owns all of them (sole-ownership.ts). Where several
 * share a store, a node owns a session by a claim, and each claim of a session has a higher epoch than the one before: the
 * store refuses what is written under an earlier one.
 */

/** What an append is written under. */
export interface Claim {
  /** The number of the node. */
  readonly node: number;
  readonly epoch: number;
}

/** That of a session which was never claimed since it was created. */
export const FIRST_EPOCH = 0;

/** Another daemon on the same store. */
export interface NodeAddress {
  readonly id: number;
  readonly name: string;
  /** Where other nodes reach it; absent where it does not say. */
  readonly url?: string;
  /** Of which daemon it is an incarnation. */
  readonly daemon?: string;
  /** Made of `daemon` and `url` with the secret of the cluster: without it nobody calls the node there. */
  readonly proof?: string;
}

/**
 * What this node may do in a session. With log-only access it ends what is open in the log, begins nothing, and releases the
 * session as soon as possible.
 */
export type SessionAccess =
  | { readonly is: "full"; readonly missing?: undefined }
  /** The session's files are at a node that takes no sessions. Its last number is absent where nobody knows it any more. */
  | { readonly is: "log"; readonly missing: "files"; readonly node: string; readonly nodeNumber?: number }
  /** The files are here, but no node that takes sessions has the agent. */
  | { readonly is: "log"; readonly missing: "agent" };

export const FULL_ACCESS: SessionAccess = { is: "full" };

/** The session is ours. */
export interface Owned {
  /** Absent where one daemon owns everything. */
  readonly claim?: Claim;
  /** The name of the node that had it and is dead. */
  readonly lostNode?: string;
  /** Full where absent. */
  readonly access?: SessionAccess;
  /** With log-only access: nothing was written since a node had such access. */
  readonly isSettled?: boolean;
}

export interface OwnedElsewhere {
  readonly owner: NodeAddress;
}

export interface Ownership {
  /**
   * Makes the session ours, before its log is read to be continued; never for one that we have. Undefined where there is no
   * such session. Rejects with `store_busy` while that cannot be found out.
   */
  claim(session: string): Owned | OwnedElsewhere | undefined | Promise<Owned | OwnedElsewhere | undefined>;
  /** For a session that does not exist yet: the append that creates it makes it ours. Throws where this node takes none. */
  claimNew(session: string): Claim | undefined;
  /**
   * Others may have it. Nothing for a claim that does not hold any more. Never rejects.
   *
   * @param isSettled Nothing is left to be done in it here: no node with log-only access needs to look at it before it is written again.
   */
  release(session: string, claim: Claim | undefined, isSettled?: boolean): void | Promise<void>;
  /** Sessions in the middle of something that no living daemon owns. */
  findOrphans(): Promise<string[]>;
  /** The name of this node. Absent where one daemon owns everything. */
  readonly nodeName?: string;
  /** While it is set nothing is written and nothing is acknowledged. It resolves once that is over, or all is lost. */
  readonly suspended: Promise<void> | undefined;
  /** There is one listener. */
  listen(listener: OwnershipListener): void;
}

export interface OwnershipListener {
  /** From now on `suspended` is set. It must not throw. */
  suspended(): void;
  /** No claim holds any more. Resolves when nothing works for these sessions any longer. Never rejects. */
  lost(): Promise<void>;
  /**
   * These sessions are in the middle of something, and were found without an owner. Resolves with those that could not be
   * taken up, though no other node has them. Never rejects.
   */
  orphaned(sessions: readonly string[]): Promise<readonly string[]>;
}
