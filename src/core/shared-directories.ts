/**
 * The port to what other nodes of a cluster do in directories that they share with this one. Each node says what it is about
 * to do before it looks at what others do: of two that begin at the same moment at least one sees the other.
 */

export interface DirectoryUse {
  readonly session: string;
  readonly directory: string;
  /** A prompt is about to be dispatched, or files are being restored. */
  readonly kind: "prompt" | "restore";
}

/** What stands in the way. */
export interface WorkElsewhere {
  readonly session: string;
  readonly title?: string;
  /** The name of the node, if one has it. */
  readonly node?: string;
}

/** What asks rejects with `store_busy` where the database cannot be reached. */
export interface SharedDirectories {
  /** Whether agents of other nodes may work in, above or below the directory. */
  isShared(directory: string): boolean;
  /** Resolves when others can see it, with what ends it. What a node that died has announced is over, but for restores. */
  announce(use: DirectoryUse): Promise<() => Promise<void>>;
  /** A restore of another node that runs in, above or below the directory, or was cut off there. */
  findRestore(directory: string): Promise<WorkElsewhere | undefined>;
  /** A session that works there and is not at this node, or is about to. */
  findWork(directory: string): Promise<WorkElsewhere | undefined>;
  /** Sessions that were at other nodes and were written since then, by their clocks; at most `limit`. */
  listChangedSince(
    query: Pick<DirectoryUse, "session" | "directory"> & { since: number; limit: number },
  ): Promise<string[]>;
  /** What an earlier owner of the session has announced is over. */
  forget(session: string): Promise<void>;
}
