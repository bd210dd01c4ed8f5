/** Where logs end, who has them and which nodes live, by statements of PostgreSQL. */
import type { NodeAddress } from "../../core/ownership.ts";
import type { PostgresConnection, Statement } from "../../store/postgres/connection.ts";
import { decodeText, encodeText } from "../../store/postgres/stored-text.ts";
import { type AddressRow, NODE_ADDRESS, toNodeAddress } from "../node-address-row.ts";
import type { FoundHead } from "./head-checks.ts";

const SELECT_HEADS: Statement = {
  name: "select_session_heads",
  text: `SELECT session.key, h.session AS number, h.head, n.id AS owner FROM session JOIN log_head h ON h.session = session.id
    LEFT JOIN node n ON n.id = h.owner AND NOT n.dead WHERE session.key = ANY($1::text[])`,
};

const SELECT_OTHERS: Statement = {
  name: "select_other_nodes",
  text: `SELECT ${NODE_ADDRESS} FROM node n WHERE NOT dead AND id <> $1 AND url IS NOT NULL ORDER BY id`,
};

export class SessionHeads {
  readonly #connection: Pick<PostgresConnection, "query">;

  constructor(connection: Pick<PostgresConnection, "query">) {
    this.#connection = connection;
  }

  /** Sessions that are not there are left out. */
  async read(sessions: readonly string[]): Promise<Map<string, FoundHead>> {
    const rows = await this.#connection.query<{
      key: string;
      number: number;
      head: number;
      owner: number | null;
    }>(SELECT_HEADS, [sessions.map(encodeText)]);
    return new Map(
      rows.map(({ key, owner, ...found }) => [decodeText(key), { ...found, owner: owner ?? undefined }]),
    );
  }

  /** When the tables were made, in milliseconds. */
  async readBeginning(): Promise<number> {
    const sql = "SELECT (extract(epoch FROM at) * 1000)::bigint AS at FROM migration WHERE version = 1";
    return (await this.#connection.query<{ at: number }>(sql))[0]!.at;
  }

  /** All that live and can be reached, besides this one. */
  async otherNodes(self: number): Promise<NodeAddress[]> {
    const rows = await this.#connection.query<AddressRow>(SELECT_OTHERS, [self]);
    return rows.flatMap((row) => toNodeAddress(row) ?? []);
  }
}
