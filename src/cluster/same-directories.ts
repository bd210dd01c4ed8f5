/**
 * Pinned roots that are the very same directory at two nodes, as on one machine: both told its identity when they joined. Their
 * sessions can run at either, as those of shared roots.
 */
import type { PostgresConnection } from "../store/postgres/connection.ts";

/** Whether the roots of one node, a jsonb, have the root of another one. */
export function hasSameRoot(roots: string, root: string): string {
  return `(${root}->>'identity' IS NOT NULL AND ${roots} @> jsonb_build_array(
    jsonb_build_object('path', ${root}->'path', 'identity', ${root}->'identity')))`;
}

/** Dead nodes count, too: a restore that they left unfinished still holds the directory. */
const SELECT_SAME = `SELECT root->>'path' AS path
  FROM node self, jsonb_array_elements(CASE WHEN jsonb_typeof(self.labels->'roots') = 'array' THEN self.labels->'roots' ELSE '[]' END) root
  WHERE self.id = $1 AND EXISTS (SELECT 1 FROM node other
    WHERE other.daemon <> self.daemon AND ${hasSameRoot("other.labels->'roots'", "root")})`;

export interface SameDirectoriesOptions {
  connection: Pick<PostgresConnection, "query">;
  lease: { readonly node: number };
  /** Called with the paths of roots that turned out to be other nodes', too. */
  onFound(paths: readonly string[]): void;
}

export class SameDirectories {
  readonly #options: SameDirectoriesOptions;
  readonly #paths = new Set<string>();

  constructor(options: SameDirectoriesOptions) {
    this.#options = options;
  }

  /** Roots of this node that another one has or had. */
  get paths(): Iterable<string> {
    return this.#paths;
  }

  /** Asks the database for them. Rejects where the database cannot be reached. */
  async look(): Promise<void> {
    const { connection, lease, onFound } = this.#options;
    const rows = await connection.query<{ path: string }>(SELECT_SAME, [lease.node]);
    const found = rows.map(({ path }) => path).filter((path) => !this.#paths.has(path));
    for (const path of found) this.#paths.add(path);
    if (found.length > 0) onFound(found);
  }
}
