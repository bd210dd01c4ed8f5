/** Claims of sessions as rows of PostgreSQL: each is one statement, decided by the state of the session's row alone. */
import { EVENT_FORMAT } from "../core/event.ts";
import type { NodeAddress } from "../core/ownership.ts";
import type { PostgresConnection, Statement } from "../store/postgres/connection.ts";
import { UNFINISHED } from "../store/postgres/schema.ts";
import { decodeText, encodeText } from "../store/postgres/stored-text.ts";
import { type AddressRow, NODE_ADDRESS, toNodeAddress } from "./node-address-row.ts";
import {
  adopted,
  FILES_PARAMETERS,
  HOME,
  HOME_NAME,
  hasFiles,
  homeParameters,
  IS_HOME_DEAD,
  type LocalFiles,
} from "./session-home.ts";

/**
 * Whether nobody living has the session. Two that claim it wait for each other, and the second sees the row as the first
 * left it, but the nodes as they were before: so this asks for nodes known to be dead. One that it cannot see may have
 * joined since, and lives.
 */
const IS_FREE = "(h.owner IS NULL OR h.owner IN (SELECT id FROM node WHERE dead))";

/**
 * One that names us is a claim of ours whose answer was lost. `last_owner` becomes the owner before us. Who does not have
 * the files gets the session only while its home is dead.
 */
const CLAIM: Statement = {
  name: "claim",
  text: `UPDATE log_head h SET owner = $2, epoch = h.epoch + 1, home = ${adopted(4)},
      last_owner = CASE WHEN h.owner = $2 THEN h.last_owner ELSE h.owner END
    FROM session WHERE session.key = $1 AND h.session = session.id AND h.format <= ${EVENT_FORMAT}
      AND (h.owner = $2 OR ${IS_FREE}) AND EXISTS (SELECT 1 FROM node WHERE id = $2 AND NOT dead)
      AND (${hasFiles(4)} OR ${IS_HOME_DEAD})
    RETURNING h.epoch, (SELECT name FROM node WHERE id = h.last_owner AND daemon <> $3) AS "lostNode",
      CASE WHEN NOT ${hasFiles(4)} THEN COALESCE(${HOME_NAME}, 'unknown') END AS "filesAt",
      h.settled IS NOT DISTINCT FROM h.head AS "isSettled"`,
};

/** A free session that only its home may have counts as that node's. */
const SELECT_OWNER = `SELECT ${NODE_ADDRESS}, h.format > ${EVENT_FORMAT} AS "isNewer"
  FROM session JOIN log_head h ON h.session = session.id
  LEFT JOIN node o ON o.id = h.owner AND NOT o.dead
  LEFT JOIN node n ON NOT n.dead AND n.id = COALESCE(o.id,
    CASE WHEN NOT ${hasFiles(2)} THEN (SELECT max(id) FROM node WHERE daemon = ${HOME} AND NOT dead) END)
  WHERE session.key = $1`;

/** `settled` is where the log ends when all was done with it that can be done without its files. */
const RELEASE: Statement = {
  name: "release",
  text: `UPDATE log_head h SET owner = NULL, home = ${HOME},
      last_owner = CASE WHEN $4 THEN h.last_owner ELSE h.owner END,
      settled = CASE WHEN $4 THEN h.head ELSE h.settled END
    FROM session WHERE session.key = $1 AND h.session = session.id AND h.owner = $2 AND h.epoch = $3`,
};

const SELECT_OWNED = `SELECT session.key, h.epoch FROM log_head h JOIN session ON session.id = h.session WHERE h.owner = $1`;

const SELECT_ORPHANS = `SELECT session.key FROM session JOIN log_head h ON h.session = session.id
  WHERE (${UNFINISHED}) AND h.format <= ${EVENT_FORMAT} AND ${IS_FREE} AND session.key <> ALL($1::text[])
    AND (${hasFiles(3)} OR (${IS_HOME_DEAD} AND h.settled IS DISTINCT FROM h.head))
  ORDER BY session.id LIMIT $2`;

export interface GrantedClaim {
  epoch: number;
  /** The node that died with it, unless that was this daemon. */
  lostNode: string | null;
  /** The node that has its files and is dead, unless they are here. */
  filesAt: string | null;
  /** Somebody without the files has done what can be done without them. */
  isSettled: boolean;
}

/** Who has a session instead. */
export interface FoundOwner {
  /** Absent when nobody living has it. */
  node?: NodeAddress;
  /** A later version has written it, which this one cannot read. */
  isNewer: boolean;
}

export class SessionClaims {
  readonly #connection: PostgresConnection;
  readonly #files: ReturnType<typeof homeParameters>;

  constructor(connection: PostgresConnection, files: LocalFiles) {
    this.#connection = connection;
    this.#files = homeParameters(files);
  }

  /** @param daemon That of the node, to tell a restart from the loss of another one. */
  async claim(session: string, node: number, daemon: string): Promise<GrantedClaim | undefined> {
    const values = [encodeText(session), node, daemon, ...this.#files];
    const rows = await this.#connection.query<GrantedClaim>(CLAIM, values);
    return rows[0];
  }

  /** Undefined where there is no such session. */
  async findOwner(session: string): Promise<FoundOwner | undefined> {
    const [found] = await this.#connection.query<AddressRow & { isNewer: boolean }>(SELECT_OWNER, [
      encodeText(session),
      ...this.#files.slice(0, FILES_PARAMETERS),
    ]);
    if (!found) return undefined;
    const { isNewer, ...row } = found;
    const node = toNodeAddress(row);
    return { isNewer, ...(node && { node }) };
  }

  /**
   * Nothing where another claim holds.
   *
   * @param isSettled The files are elsewhere, and what can be done without them is done.
   */
  async release(session: string, node: number, epoch: number, isSettled = false): Promise<void> {
    await this.#connection.query(RELEASE, [encodeText(session), node, epoch, isSettled]);
  }

  async findOwned(node: number): Promise<{ session: string; epoch: number }[]> {
    const rows = await this.#connection.query<{ key: string; epoch: number }>(SELECT_OWNED, [node]);
    return rows.map(({ key, epoch }) => ({ session: decodeText(key), epoch }));
  }

  /**
   * Sessions in the middle of something that nobody living has, the oldest first. Of those whose files are at a dead node
   * only such that were written since somebody settled them.
   */
  async findOrphans(except: readonly string[], limit: number): Promise<string[]> {
    const values = [except.map(encodeText), limit, ...this.#files.slice(0, FILES_PARAMETERS)];
    const rows = await this.#connection.query<{ key: string }>(SELECT_ORPHANS, values);
    return rows.map(({ key }) => decodeText(key));
  }
}
