/** What other nodes know of a node when they decide where a session goes: a row of the table of nodes has it as JSON. */

/**
 * Who sees the files of a root.
 * - `shared`: all nodes that have it, under the same path.
 * - `pinned`: this node alone. Its sessions run nowhere else.
 * - `git`: reserved.
 */
export type RootFiles = "shared" | "git" | "pinned";

export interface NodeRoot {
  /** A real path. */
  readonly path: string;
  readonly files: RootFiles;
}

export interface NodeProfile {
  readonly labels: Readonly<Record<string, string>>;
  readonly roots: readonly NodeRoot[];
  /** The names of the agents it has. */
  readonly agents: readonly string[];
}
