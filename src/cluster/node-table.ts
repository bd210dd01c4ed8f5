/** The table of nodes in PostgreSQL. Every statement is on one connection, which does nothing else. */
import { EVENT_FORMAT } from "../core/event.ts";
import type { PostgresConnection } from "../store/postgres/connection.ts";
import type { LeaseTable } from "./node-lease.ts";
import type { NodeProfile } from "./node-profile.ts";
import type { NodeBeat } from "./observed-beats.ts";

/** What others see of a node. */
export interface NodeDescription {
  name: string;
  /** Whose lock this daemon holds, so that no other one with it lives. */
  daemon: string;
  profile: NodeProfile;
}

/** Rows of nodes that are long dead and own nothing go when so many others have joined. */
const KEPT_NODES = 1000;

/** My predecessor is dead: I have its lock, and what it left running was ended. So a restart waits for nobody. */
const JOIN = `WITH former AS (UPDATE node SET dead = true WHERE daemon = $2 AND NOT dead)
  INSERT INTO node (name, daemon, reads_format, labels) VALUES ($1, $2, ${EVENT_FORMAT}, $3::jsonb) RETURNING id`;

const FORGET = `DELETE FROM node WHERE dead AND id < $1::bigint - ${KEPT_NODES}
  AND NOT EXISTS (SELECT 1 FROM log_head WHERE owner = node.id)`;

const BEAT = "UPDATE node SET beat = beat + 1 WHERE id = $1 AND NOT dead RETURNING id";
const READ_BEATS = "SELECT id, beat FROM node WHERE NOT dead";
const DECLARE_DEAD = "UPDATE node SET dead = true WHERE id = $1 AND beat = $2 AND NOT dead RETURNING id";

const LEAVE = `WITH gone AS (UPDATE node SET dead = true WHERE id = $1)
  UPDATE log_head SET owner = NULL, last_owner = owner, home = COALESCE(home, $2) WHERE owner = $1`;

export class NodeTable implements LeaseTable {
  readonly #connection: PostgresConnection;
  readonly #description: NodeDescription;

  constructor(connection: PostgresConnection, description: NodeDescription) {
    this.#connection = connection;
    this.#description = description;
  }

  async join(): Promise<number> {
    const { name, daemon, profile } = this.#description;
    const values = [name, daemon, JSON.stringify(profile)];
    const [joined] = await this.#connection.write<{ id: number }>(JOIN, values);
    // It only takes room.
    await this.#connection.write(FORGET, [joined!.id]).catch(() => {});
    return joined!.id;
  }

  async beat(node: number): Promise<boolean> {
    return (await this.#connection.write(BEAT, [node])).length > 0;
  }

  readBeats(): Promise<NodeBeat[]> {
    return this.#connection.write<NodeBeat>(READ_BEATS);
  }

  async declareDead({ id, beat }: NodeBeat): Promise<boolean> {
    return (await this.#connection.write(DECLARE_DEAD, [id, beat])).length > 0;
  }

  /** Everything this node has is free at once. */
  async leave(node: number): Promise<void> {
    await this.#connection.write(LEAVE, [node, this.#description.daemon]);
  }
}
