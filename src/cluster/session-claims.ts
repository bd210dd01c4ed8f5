/** Claims of sessions as rows of PostgreSQL: each is one statement, decided by the state of the session's row alone. */
import { EVENT_FORMAT } from "../core/event.ts";
import type { NodeAddress } from "../core/ownership.ts";
import type { PostgresConnection, Statement } from "../store/postgres/connection.ts";
import { KEPT_HOME, UNFINISHED } from "../store/postgres/schema.ts";
import { decodeText, encodeOptional, encodeText } from "../store/postgres/stored-text.ts";
import { type AddressRow, NODE_ADDRESS, toNodeAddress } from "./node-address-row.ts";
import { ability, ablerThan, adopted, HAS_FILES, HOME_NAME, HOME_NUMBER, RUNS } from "./session-home.ts";

/**
 * Whether nobody living has the session. Two that claim it wait for each other, and the second sees the row as the first
 * left it, but the nodes as they were before: so this asks for nodes known to be dead. One that it cannot see may have
 * joined since, and lives.
 */
const IS_FREE = "(h.owner IS NULL OR h.owner IN (SELECT id FROM node WHERE dead))";

/** One that names us is a claim of ours whose answer was lost. `last_owner` becomes the owner before us. */
const CLAIM: Statement = {
  name: "claim",
  text: `UPDATE log_head h SET owner = $2, epoch = h.epoch + 1, home = ${adopted("self")},
      last_owner = CASE WHEN h.owner = $2 THEN h.last_owner ELSE h.owner END
    FROM session, node self WHERE session.key = $1 AND h.session = session.id AND h.format <= ${EVENT_FORMAT}
      AND (h.owner = $2 OR ${IS_FREE}) AND self.id = $2 AND NOT self.dead
      AND (${ability("self")} = ${RUNS} OR ${ablerThan("self")} IS NULL)
    RETURNING h.epoch, (SELECT name FROM node WHERE id = h.last_owner AND daemon <> self.daemon) AS "lostNode",
      CASE WHEN ${ability("self")} < ${HAS_FILES} THEN COALESCE(${HOME_NAME}, 'unknown') END AS "filesAt",
      ${HOME_NUMBER} AS "filesAtNumber",
      ${ability("self")} = ${HAS_FILES} AS "isAgentMissing", h.settled IS NOT DISTINCT FROM h.head AS "isSettled"`,
};

/** A free session that is left to another node counts as that node's. */
const SELECT_OWNER = `SELECT ${NODE_ADDRESS}, h.format > ${EVENT_FORMAT} AS "isNewer"
  FROM session JOIN log_head h ON h.session = session.id
  LEFT JOIN node self ON self.id = $2
  LEFT JOIN node o ON o.id = h.owner AND NOT o.dead
  LEFT JOIN node n ON NOT n.dead AND n.id = COALESCE(o.id, ${ablerThan("self")})
  WHERE session.key = $1`;

/** A node with log-only access ($4) leaves no trace but `settled` ($5): where the log ends once all is done that can be. */
const RELEASE: Statement = {
  name: "release",
  text: `UPDATE log_head h SET owner = NULL, home = CASE WHEN $4 THEN h.home ELSE ${KEPT_HOME} END,
      last_owner = CASE WHEN $4 THEN h.last_owner ELSE h.owner END,
      settled = CASE WHEN $5 THEN h.head ELSE h.settled END
    FROM session WHERE session.key = $1 AND h.session = session.id AND h.owner = $2 AND h.epoch = $3`,
};

const SELECT_OWNED = `SELECT session.key, h.epoch FROM log_head h JOIN session ON session.id = h.session WHERE h.owner = $1`;

const SELECT_ORPHANS = `SELECT session.key FROM session JOIN log_head h ON h.session = session.id
  JOIN node self ON self.id = $1
  WHERE (${UNFINISHED}) AND h.format <= ${EVENT_FORMAT} AND ${IS_FREE} AND session.key <> ALL($2::text[])
    AND session.id > COALESCE((SELECT id FROM session WHERE key = $3), 0)
    AND (${ability("self")} = ${RUNS} OR (h.settled IS DISTINCT FROM h.head AND ${ablerThan("self")} IS NULL))
  ORDER BY session.id LIMIT $4`;

export interface GrantedClaim {
  epoch: number;
  /** The node that died with it, unless that was this daemon. */
  lostNode: string | null;
  /** The node that has its files and takes no sessions, unless they are here. */
  filesAt: string | null;
  /** The last number of the session's home; null where nobody knows it. */
  filesAtNumber: number | null;
  /** The files are here, and no node has the agent. */
  isAgentMissing: boolean;
  /** A node with log-only access has done what can be done. */
  isSettled: boolean;
}

/** Who has a session instead. */
export interface FoundOwner {
  /** Absent when nobody living has it. */
  node?: NodeAddress;
  /** A later version has written it, which this one cannot read. */
  isNewer: boolean;
}

export interface ReleasedAs {
  /** Its files or its agent are missing here. */
  readonly isLogOnly?: boolean;
  /** This node has done what can be done. */
  readonly isSettled?: boolean;
}

export interface OrphanQuery {
  /** Those that are left alone. */
  readonly except?: readonly string[];
  /** Only those that are younger than this session; all where there is no such session. */
  readonly after?: string;
  readonly limit: number;
}

export class SessionClaims {
  readonly #connection: PostgresConnection;

  constructor(connection: PostgresConnection) {
    this.#connection = connection;
  }

  async claim(session: string, node: number): Promise<GrantedClaim | undefined> {
    const rows = await this.#connection.query<GrantedClaim>(CLAIM, [encodeText(session), node]);
    return rows[0];
  }

  /**
   * Undefined where there is no such session.
   *
   * @param node The one that asks.
   */
  async findOwner(session: string, node: number): Promise<FoundOwner | undefined> {
    const [found] = await this.#connection.query<AddressRow & { isNewer: boolean }>(SELECT_OWNER, [
      encodeText(session),
      node,
    ]);
    if (!found) return undefined;
    const { isNewer, ...row } = found;
    const address = toNodeAddress(row);
    return { isNewer, ...(address && { node: address }) };
  }

  /** Nothing where another claim holds. */
  async release(
    session: string,
    node: number,
    epoch: number,
    { isLogOnly = false, isSettled = false }: ReleasedAs = {},
  ): Promise<void> {
    await this.#connection.query(RELEASE, [encodeText(session), node, epoch, isLogOnly, isSettled]);
  }

  async findOwned(node: number): Promise<{ session: string; epoch: number }[]> {
    const rows = await this.#connection.query<{ key: string; epoch: number }>(SELECT_OWNED, [node]);
    return rows.map(({ key, epoch }) => ({ session: decodeText(key), epoch }));
  }

  /**
   * Sessions in the middle of something that nobody living has and this node may claim, the oldest first. Where it
   * would have log-only access, only those that were written since a node settled them.
   */
  async findOrphans(node: number, { except = [], after, limit }: OrphanQuery): Promise<string[]> {
    const values = [node, except.map(encodeText), encodeOptional(after), limit];
    const rows = await this.#connection.query<{ key: string }>(SELECT_ORPHANS, values);
    return rows.map(({ key }) => decodeText(key));
  }
}
