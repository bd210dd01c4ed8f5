/** Where sessions are and could be, as the database has it. */
import type { NodeAddress } from "../core/ownership.ts";
import type { PostgresConnection, Statement } from "../store/postgres/connection.ts";
import { LAST_DAEMON } from "../store/postgres/schema.ts";
import { decodeText, encodeText } from "../store/postgres/stored-text.ts";
import { storeBusy } from "../store/read-problems.ts";
import { type AddressRow, NODE_ADDRESS, toNodeAddress } from "./node-address-row.ts";
import type { NodeProfile, NodeRoot } from "./node-profile.ts";
import type { PlacementNode, SessionNeeds } from "./placement.ts";
import { HOME, HOME_NAME, IS_CAPTURED } from "./session-home.ts";
import { wantedLabels } from "./wanted-labels.ts";

export interface SessionPlace {
  /** The living node that has it. Absent when it is free. */
  owner?: NodeAddress;
  needs: SessionNeeds;
}

export interface SessionPlaces {
  /** Undefined where there is no such session. Rejects with `store_busy`. */
  find(session: string): Promise<SessionPlace | undefined>;
  /** Those that live, as far as is known. Rejects with `store_busy`. */
  nodes(): Promise<PlacementNode[]>;
}

const SELECT_PLACE: Statement = {
  name: "session_place",
  text: `SELECT ${NODE_ADDRESS}, h.format, session.agent, session.cwd, session.metadata,
      CASE WHEN ${HOME} IS NOT NULL THEN ${LAST_DAEMON} END AS "lastDaemon", ${HOME} AS home, ${HOME_NAME} AS "homeName",
      (SELECT labels->'roots' FROM node WHERE daemon = ${HOME} ORDER BY id DESC LIMIT 1) AS "homeRoots",
      ${IS_CAPTURED} AS "isCaptured"
    FROM session JOIN log_head h ON h.session = session.id
    LEFT JOIN node n ON n.id = h.owner AND NOT n.dead
    WHERE session.key = $1`,
};

const SELECT_NODES: Statement = {
  name: "living_nodes",
  text: `SELECT id, name, url, daemon, draining AS "isDraining", reads_format AS "readsFormat", labels AS profile,
      COALESCE(agents, 0) AS agents, COALESCE(agents_max, 0) AS "maxAgents"
    FROM node WHERE NOT dead ORDER BY id`,
};

interface PlaceRow extends AddressRow {
  format: number;
  agent: string;
  cwd: string;
  metadata: string | null;
  lastDaemon: string | null;
  home: string | null;
  homeName: string | null;
  homeRoots: string | null;
  isCaptured: boolean;
}

type PlacementRow = Omit<PlacementNode, "url" | "profile"> & { url: string | null; profile: string | null };

export class StoredSessionPlaces implements SessionPlaces {
  readonly #connection: PostgresConnection;

  constructor(connection: PostgresConnection) {
    this.#connection = connection;
  }

  async find(session: string): Promise<SessionPlace | undefined> {
    const [row] = await this.#read<PlaceRow>(SELECT_PLACE, [encodeText(session)]);
    if (!row) return undefined;
    const { format, agent, cwd, metadata, lastDaemon, home, homeName, homeRoots, isCaptured } = row;
    const owner = toNodeAddress(row);
    const labels = wantedLabels(metadata === null ? undefined : JSON.parse(metadata));
    return {
      ...(owner && { owner }),
      needs: {
        agent: decodeText(agent),
        cwd: decodeText(cwd),
        format,
        ...(labels && { labels }),
        ...(lastDaemon !== null && { lastDaemon }),
        ...(home !== null && { home }),
        ...(homeName !== null && { homeName }),
        ...(homeRoots !== null && { homeRoots: JSON.parse(homeRoots) as NodeRoot[] }),
        ...(isCaptured && { isCaptured }),
      },
    };
  }

  async nodes(): Promise<PlacementNode[]> {
    const rows = await this.#read<PlacementRow>(SELECT_NODES);
    return rows.map(({ url, profile: text, ...row }) => {
      const profile = text === null ? undefined : (JSON.parse(text) as NodeProfile);
      return { ...row, ...(url !== null && { url }), ...(profile && { profile, proof: profile.proof }) };
    });
  }

  async #read<Row>(statement: Statement, values: readonly string[] = []): Promise<Row[]> {
    return this.#connection.query<Row>(statement, values).catch((error: unknown) => {
      throw storeBusy(error);
    });
  }
}
