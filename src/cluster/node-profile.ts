/** What a node has to offer to sessions, as its row in the table of nodes tells the others. */

/**
 * Where the files of sessions below a root are:
 * - `shared`: at the same path on every node that has the root.
 * - `git`: in a clone of the node's own, at the same path on every node that has the root. They travel with the session.
 * - `pinned`: on this node only; its sessions run nowhere else, except at a node that sees the very same directory.
 */
export type FilesOfRoot = "shared" | "git" | "pinned";

export interface NodeRoot {
  /** Absolute, with links resolved. */
  readonly path: string;
  /** As it was given to the node, where links lead to it. Others know a directory by both. */
  readonly named?: string;
  readonly files: FilesOfRoot;
  /** A pinned root has one. Nodes with equal ones see the very same directory: see directory-identity.ts. */
  readonly identity?: string;
}

export interface NodeProfile {
  /** Words of whoever runs the nodes. */
  readonly labels: Readonly<Record<string, string>>;
  /** Where sessions may work. */
  readonly roots: readonly NodeRoot[];
  /** The names of the agents it knows. */
  readonly agents: readonly string[];
  /** That of its address: see NodeAddress. */
  readonly proof?: string;
  /** Digests of the client tokens that it takes, made with the secret of the cluster. */
  readonly tokens?: readonly string[];
}
