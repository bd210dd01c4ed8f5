/** The table of nodes in PostgreSQL. Statements of the lease are on one connection, which does nothing else. */
import { EVENT_FORMAT } from "../core/event.ts";
import type { PostgresConnection } from "../store/postgres/connection.ts";
import type { OtherNode } from "./assert-same-secret.ts";
import { type AddressRow, NODE_ADDRESS, toNodeAddress } from "./node-address-row.ts";
import type { AgreementFacts } from "./node-agreement.ts";
import type { LeaseTable } from "./node-lease.ts";
import type { NodeLoad } from "./node-load.ts";
import type { NodeProfile } from "./node-profile.ts";
import type { NodeBeat } from "./observed-beats.ts";

/** What others see of a node. */
export interface NodeDescription {
  name: string;
  /** Where other nodes reach it. */
  url?: string;
  profile?: NodeProfile;
  /** The id in the data directory whose lock this daemon holds. A copy of the directory has the same. */
  daemon: string;
}

/** Under which number a data directory was last a node. Kept in it. */
export interface NodeNumber {
  /** Undefined where none was kept, and in a copy. */
  read(): number | undefined;
  keep(node: number): void;
}

export interface NodeTableOptions extends NodeDescription {
  number: NodeNumber;
  load(): NodeLoad;
}

/** A node as the table has it. */
export interface NodeRow {
  id: number;
  name: string;
  url: string | null;
  isDead: boolean;
  isDraining: boolean;
  sessions: number;
  agents: number;
  maxAgents: number;
  problem: string | null;
}

/** A node that was not declared dead, as it was read last. */
interface LivingNode extends NodeBeat, AgreementFacts {
  isDraining: boolean;
}

interface LivingRow extends NodeBeat {
  name: string | null;
  isDraining: boolean;
  clockMs: number | null;
  /** As JSON. */
  tokens: string | null;
}

/** A longer statement was interrupted: this process was stopped meanwhile, or the clock was set. */
const MAX_MEASURE_MS = 5000;

/** Rows of nodes that are long dead and own nothing go when so many others have joined. */
const KEPT_NODES = 1000;

/** How many that died are listed. */
const LISTED_DEAD = 20;

const DATABASE_TIME = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now";

/** My predecessor is dead: I have its lock, and what it left running was ended. So a restart waits for nobody. */
const JOIN = `WITH former AS (UPDATE node SET dead = true WHERE daemon = $2 AND NOT dead)
  INSERT INTO node (name, daemon, reads_format, url, labels, agents, agents_max, draining, problem, clock_ms)
  VALUES ($1, $2, ${EVENT_FORMAT}, $3, $4::jsonb, $5, $6, $7, $8, $9) RETURNING id, ${DATABASE_TIME}`;

/**
 * Sessions that nobody of a cluster ever had are those of the first node: they were made by a daemon alone, or copied, with
 * its data directory. Those of a second one would be at two places at once.
 */
const ADOPT = `UPDATE log_head SET home = $1 WHERE session IN (
    SELECT session FROM log_head WHERE home IS NULL AND owner IS NULL AND last_owner IS NULL LIMIT $3)
  AND home IS NULL AND owner IS NULL AND NOT EXISTS (SELECT 1 FROM node WHERE daemon <> $1 AND id < $2) RETURNING session`;

/** As many as are adopted well within the time that a statement may take. */
const ADOPTED_AT_ONCE = 5000;

/** What the home of a session says of its roots is read also when it is dead. */
const FORGET = `DELETE FROM node WHERE dead AND id < $1::bigint - ${KEPT_NODES}
  AND NOT EXISTS (SELECT 1 FROM log_head WHERE owner = node.id)
  AND (daemon NOT IN (SELECT home FROM log_head WHERE home IS NOT NULL)
    OR EXISTS (SELECT 1 FROM node later WHERE later.daemon = node.daemon AND later.id > node.id))`;

const BEAT = `UPDATE node SET beat = beat + 1, agents = $2, agents_max = $3, draining = $4, problem = $5, clock_ms = $6
  WHERE id = $1 AND NOT dead RETURNING id, ${DATABASE_TIME}`;
const READ_LIVING = `SELECT id, beat, name, draining AS "isDraining", clock_ms AS "clockMs", labels->'tokens' AS tokens
  FROM node WHERE NOT dead ORDER BY id`;
const DECLARE_DEAD = "UPDATE node SET dead = true WHERE id = $1 AND beat = $2 AND NOT dead RETURNING id";

const LEAVE = `WITH gone AS (UPDATE node SET dead = true, has_left = true WHERE id = $1)
  UPDATE log_head SET owner = NULL, last_owner = owner, home = COALESCE(home, $2) WHERE owner = $1`;

const FIND_NAMESAKES = "SELECT id, beat FROM node WHERE daemon = $1 AND NOT dead AND id IS DISTINCT FROM $2";

const READ_OTHERS = `SELECT ${NODE_ADDRESS}, n.beat FROM node n WHERE NOT n.dead AND n.daemon IS DISTINCT FROM $1`;

/** Of those that are dead: the newest that neither left nor were started again. */
const LIST = `SELECT n.id, n.name, n.url, n.dead AS "isDead", n.draining AS "isDraining",
    n.problem, coalesce(n.agents, 0) AS agents, coalesce(n.agents_max, 0) AS "maxAgents",
    (SELECT count(*) FROM log_head h WHERE h.owner = n.id) AS sessions
  FROM node n WHERE NOT n.dead OR n.id IN (
    SELECT d.id FROM node d WHERE d.dead AND NOT d.has_left
      AND NOT EXISTS (SELECT 1 FROM node later WHERE later.daemon = d.daemon AND later.id > d.id)
    ORDER BY d.id DESC LIMIT ${LISTED_DEAD})
  ORDER BY n.id`;

export class NodeTable implements LeaseTable {
  readonly #connection: PostgresConnection;
  readonly #options: NodeTableOptions;
  #living: ReadonlyMap<number, LivingNode> = new Map();
  /** How far the clock of this machine is ahead of the database's. */
  #clockMs: number | undefined;

  constructor(connection: PostgresConnection, options: NodeTableOptions) {
    this.#connection = connection;
    this.#options = options;
  }

  async join(): Promise<number> {
    const { name, daemon, url = null, profile, number } = this.#options;
    const values = [name, daemon, url, profile ? JSON.stringify(profile) : null, ...this.#load()];
    const [joined] = await this.#measureClock(() =>
      this.#connection.write<{ id: number; now: number }>(JOIN, values),
    );
    number.keep(joined!.id);
    // It only takes room.
    await this.#connection.write(FORGET, [joined!.id]).catch(() => {});
    return joined!.id;
  }

  /** Makes this daemon the home of what has none, if it is the first one of the cluster. */
  async adoptSessions(node: number): Promise<void> {
    const values = [this.#options.daemon, node, ADOPTED_AT_ONCE];
    while ((await this.#connection.write(ADOPT, values)).length > 0);
  }

  async beat(node: number): Promise<boolean> {
    const values = [node, ...this.#load()];
    const beaten = await this.#measureClock(() => this.#connection.write<{ now: number }>(BEAT, values));
    return beaten.length > 0;
  }

  #load(): [number, number, boolean, problem: string | null, clockMs: number | null] {
    const { agents, maxAgents, isDraining, problem = null } = this.#options.load();
    return [agents, maxAgents, isDraining, problem, this.#clockMs ?? null];
  }

  /** The database looked at its clock somewhere between the beginning and the end of the statement. */
  async #measureClock<Row extends { now: number }>(run: () => Promise<Row[]>): Promise<Row[]> {
    const before = Date.now();
    const rows = await run();
    const tookMs = Date.now() - before;
    const isMeasured = tookMs >= 0 && tookMs < MAX_MEASURE_MS;
    if (rows[0] && isMeasured) this.#clockMs = Math.round(before + tookMs / 2 - rows[0].now);
    return rows;
  }

  async readBeats(): Promise<NodeBeat[]> {
    return this.#noteLiving(await this.#connection.write<LivingRow>(READ_LIVING));
  }

  /** By what was read last, which is as old as a beat; a node that was not seen yet is looked for. Never rejects. */
  async isLiving(node: number): Promise<boolean> {
    if (!this.#living.has(node))
      await this.#connection.query<LivingRow>(READ_LIVING).then(
        (rows) => this.#noteLiving(rows),
        // While the database is away, those that were seen last count.
        () => {},
      );
    return this.#living.has(node);
  }

  /** Facts to compare with other nodes, as they were read and measured last. */
  facts(node: number): { self: AgreementFacts; others: AgreementFacts[] } {
    const { name, profile } = this.#options;
    return {
      self: { id: node, name, tokens: profile?.tokens, clockMs: this.#clockMs },
      others: [...this.#living.values()].filter(({ id, isDraining }) => id !== node && !isDraining),
    };
  }

  #noteLiving(rows: readonly LivingRow[]): NodeBeat[] {
    const living = rows.map(({ clockMs, tokens, ...row }): LivingNode => {
      const told = tokens === null ? undefined : (JSON.parse(tokens) as string[]);
      return { ...row, ...(clockMs !== null && { clockMs }), ...(told && { tokens: told }) };
    });
    this.#living = new Map(living.map((node) => [node.id, node]));
    return living;
  }

  async declareDead({ id, beat }: NodeBeat): Promise<boolean> {
    return (await this.#connection.write(DECLARE_DEAD, [id, beat])).length > 0;
  }

  /** Everything this node has is free at once. */
  async leave(node: number): Promise<void> {
    await this.#connection.write(LEAVE, [node, this.#options.daemon]);
  }

  /** Nodes with the id of this data directory that were not declared dead, and are not what it last was itself. */
  findNamesakes(): Promise<NodeBeat[]> {
    const { daemon, number } = this.#options;
    return this.#connection.query<NodeBeat>(FIND_NAMESAKES, [daemon, number.read() ?? null]);
  }

  /** Nodes of other data directories that were not declared dead. */
  async readOthers(): Promise<OtherNode[]> {
    type Row = AddressRow & { beat: number };
    const rows = await this.#connection.query<Row>(READ_OTHERS, [this.#options.daemon]);
    return rows.map((row) => ({ ...toNodeAddress(row)!, beat: row.beat }));
  }

  /** Those that live, and those that died last. */
  list(): Promise<NodeRow[]> {
    return this.#connection.query<NodeRow>(LIST);
  }
}
