/** What nodes do in directories that they share, by rows of the database. */
import { isInside } from "../core/is-inside.ts";
import type { DirectoryUse, SharedDirectories, WorkElsewhere } from "../core/shared-directories.ts";
import type { PostgresConnection, Value } from "../store/postgres/connection.ts";
import { UNFINISHED } from "../store/postgres/schema.ts";
import { decodeText, encodeText } from "../store/postgres/stored-text.ts";
import { storeBusy } from "../store/read-problems.ts";
import type { NodeLease } from "./node-lease.ts";

const ANNOUNCE = `INSERT INTO directory_use (session, kind, directory, node) VALUES ($1, $2, $3, $4)
  ON CONFLICT (session, kind) DO UPDATE SET directory = $3, node = $4`;

const END = "DELETE FROM directory_use WHERE session = $1 AND kind = $2 AND node = $3";

const FORGET = "DELETE FROM directory_use WHERE session = $1 AND node IN (SELECT id FROM node WHERE dead)";

/** What nobody will come back to. */
const CLEAN = `DELETE FROM directory_use u WHERE node NOT IN (SELECT id FROM node WHERE NOT dead)
  AND NOT EXISTS (SELECT 1 FROM session WHERE key = u.session AND (${UNFINISHED}))`;

/** $1 is this node, $2 the directory without a slash at its end. */
const SELECT_RESTORE = `SELECT u.session, session.title, n.name AS node FROM directory_use u
  LEFT JOIN session ON session.key = u.session LEFT JOIN node n ON n.id = u.node
  WHERE u.kind = 'restore' AND u.node <> $1 AND ${overlaps("u.directory")}
    AND (NOT n.dead OR (${UNFINISHED})) LIMIT 1`;

const SELECT_PROMPT = `SELECT u.session, session.title, n.name AS node FROM directory_use u
  LEFT JOIN session ON session.key = u.session JOIN node n ON n.id = u.node AND NOT n.dead
  WHERE u.kind = 'prompt' AND u.node <> $1 AND ${overlaps("u.directory")} LIMIT 1`;

/** One that waits for its home or its agent does nothing meanwhile. */
const SELECT_WORK = `SELECT session.key AS session, session.title, n.name AS node
  FROM session JOIN log_head h ON h.session = session.id LEFT JOIN node n ON n.id = h.owner AND NOT n.dead
  WHERE (${UNFINISHED}) AND session.status IN ('running', 'waiting', 'recovering') AND h.owner IS DISTINCT FROM $1
    AND h.settled IS DISTINCT FROM h.head AND ${overlaps("session.cwd")} LIMIT 1`;

/** Without what was at this daemon all the time: that it knows itself. */
const SELECT_CHANGED = `SELECT session.key FROM session JOIN log_head h ON h.session = session.id
  WHERE session.updated_at >= $1 AND ${overlaps("session.cwd")} AND session.key <> $3
    AND NOT COALESCE(COALESCE(h.owner, h.last_owner) IN (SELECT id FROM node WHERE daemon = $4)
      AND (h.last_owner IS NULL OR h.last_owner IN (SELECT id FROM node WHERE daemon = $4)), false)
  ORDER BY session.updated_at DESC LIMIT $5`;

/** Between two attempts to say that a use has ended. */
const END_AGAIN_MS = 500;

interface Use extends Pick<DirectoryUse, "session" | "kind"> {
  readonly node: number;
}

interface WorkRow {
  session: string;
  title: string | null;
  node: string | null;
}

export interface DatabaseDirectoriesOptions {
  connection: Pick<PostgresConnection, "query">;
  lease: Pick<NodeLease, "node">;
  daemon: string;
  /** Real paths, now. */
  sharedRoots(): Iterable<string>;
}

export class DatabaseDirectories implements SharedDirectories {
  readonly #options: DatabaseDirectoriesOptions;
  /** Those that were announced, or may have been, and have not ended. */
  readonly #uses = new Map<string, Use>();
  /** Attempts to say that one has ended. */
  readonly #endings = new Map<string, Promise<unknown>>();

  constructor(options: DatabaseDirectoriesOptions) {
    this.#options = options;
  }

  /** Forgets what nodes have left that died. */
  async clean(): Promise<void> {
    await this.#options.connection.query(CLEAN);
  }

  isShared(directory: string): boolean {
    for (const root of this.#options.sharedRoots())
      if (isInside(directory, root) || isInside(root, directory)) return true;
    return false;
  }

  async announce({ session, directory, kind }: DirectoryUse): Promise<() => Promise<void>> {
    const { node } = this.#options.lease;
    const use: Use = { session, kind, node };
    // One that is just being taken back would take this one with it.
    await this.#endings.get(keyOf(use));
    this.#uses.set(keyOf(use), use);
    try {
      await this.#query(ANNOUNCE, [encodeText(session), kind, prefixOf(directory), node]);
    } catch (error) {
      // Its answer may have been lost after the commit.
      await this.#end(use);
      throw error;
    }
    return () => this.#end(use);
  }

  /** One that stays is in the way of others: so it is tried until it is done, announced anew, or this node is another one. */
  async #end(use: Use): Promise<void> {
    const { connection, lease } = this.#options;
    const { session, kind, node } = use;
    const isLast = () => this.#uses.get(keyOf(use)) === use;
    if (!isLast()) return;
    const ending = connection.query(END, [encodeText(session), kind, node]);
    const isOver = ending.catch(() => {});
    this.#endings.set(keyOf(use), isOver);
    try {
      await ending;
      if (isLast()) this.#uses.delete(keyOf(use));
    } catch {
      const again = () => {
        if (lease.node === node) void this.#end(use);
        else if (isLast()) this.#uses.delete(keyOf(use));
      };
      setTimeout(again, END_AGAIN_MS).unref();
    } finally {
      if (this.#endings.get(keyOf(use)) === isOver) this.#endings.delete(keyOf(use));
    }
  }

  findRestore(directory: string): Promise<WorkElsewhere | undefined> {
    return this.#find(SELECT_RESTORE, directory);
  }

  async findWork(directory: string): Promise<WorkElsewhere | undefined> {
    return (await this.#find(SELECT_PROMPT, directory)) ?? (await this.#find(SELECT_WORK, directory));
  }

  async listChangedSince({
    session,
    directory,
    since,
    limit,
  }: Parameters<SharedDirectories["listChangedSince"]>[0]): Promise<string[]> {
    const { daemon } = this.#options;
    const values = [since, prefixOf(directory), encodeText(session), daemon, limit];
    const rows = await this.#query<{ key: string }>(SELECT_CHANGED, values);
    return rows.map(({ key }) => decodeText(key));
  }

  async forget(session: string): Promise<void> {
    await this.#options.connection.query(FORGET, [encodeText(session)]);
  }

  async #query<Row>(statement: string, values: readonly Value[]): Promise<Row[]> {
    return this.#options.connection.query<Row>(statement, values).catch((error: unknown) => {
      throw storeBusy(error);
    });
  }

  async #find(statement: string, directory: string): Promise<WorkElsewhere | undefined> {
    const { node: self } = this.#options.lease;
    const [row] = await this.#query<WorkRow>(statement, [self, prefixOf(directory)]);
    if (!row) return undefined;
    const { session, title, node } = row;
    return {
      session: decodeText(session),
      ...(title !== null && { title: decodeText(title) }),
      ...(node !== null && { node }),
    };
  }
}

function keyOf({ session, kind }: Use): string {
  return `${kind} ${session}`;
}

function prefixOf(directory: string): string {
  return encodeText(directory.replace(/\/+$/, ""));
}

/** Whether a directory is $2, or one lies inside the other. */
function overlaps(column: string): string {
  const other = `rtrim(${column}, '/')`;
  return `(${other} = $2 OR starts_with(${other}, $2 || '/') OR starts_with($2, ${other} || '/'))`;
}
