/**
 * Locks among the nodes of a cluster, for what they share on disk. One ends with the lease of its holder: a node that is
 * stopped or cut off loses it, and has to notice before it changes anything.
 */

export interface HeldLock {
  /** Whether somebody else may have had it since this node had it last: what is remembered of the past may be wrong. */
  readonly hasMoved: boolean;
  /** Whether its last holder has not released it: what that did may be half done. */
  readonly isAbandoned: boolean;
  /** Aborted when somebody waits for it, if that is watched. */
  readonly wanted?: AbortSignal;
  /**
   * To be called right before each change. Resolves if nobody else can have the lock; waits while that is not known. Rejects
   * once it is lost.
   */
  confirm(): Promise<void>;
  /** Whether nobody else can have it at this very moment, for what cannot wait. */
  isHeld(): boolean;
  /** Never rejects. */
  release(): Promise<void>;
}

export interface TakeOptions {
  signal?: AbortSignal;
  /** Undefined is the answer if another node has it, and `wanted` says when one waits. */
  isBackground?: boolean;
}

export interface NodeLocks {
  /** Waits until no other node has it. Within one node there must be one holder at a time. Rejects when aborted. */
  take(name: string, options?: TakeOptions): Promise<HeldLock | undefined>;
  /** The same for what needs no lock but the lease itself. */
  guard(): Pick<HeldLock, "confirm" | "isHeld">;
}
