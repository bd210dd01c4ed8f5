/** The connections to other nodes. Each kind of calls has its own, so that those that take long never hold up the others. */
import { Agent } from "node:http";
import { Agent as HttpsAgent } from "node:https";

/** `long` are calls that may take minutes. */
export type CallKind = "short" | "long" | "stream";

export interface PeerAgentsOptions {
  ca?: string | Buffer;
  /** For each node, of each kind but streams. */
  maxConnections?: number;
}

const MAX_CONNECTIONS = 256;
const MAX_UNUSED = 16;

/** Shorter than the other side keeps one open, so that none is used that it is just closing. */
const IDLE_MS = 20_000;

export class PeerAgents {
  readonly #plain: Record<CallKind, Agent>;
  readonly #secure: Record<CallKind, HttpsAgent>;

  constructor({ ca, maxConnections: maxSockets = MAX_CONNECTIONS }: PeerAgentsOptions) {
    const common = { keepAlive: true, timeout: IDLE_MS, maxFreeSockets: MAX_UNUSED };
    const plain = (limit: object) => new Agent({ ...common, ...limit });
    const secure = (limit: object) => new HttpsAgent({ ...common, ...limit, ...(ca && { ca }) });
    this.#plain = { short: plain({ maxSockets }), long: plain({ maxSockets }), stream: plain({}) };
    this.#secure = { short: secure({ maxSockets }), long: secure({ maxSockets }), stream: secure({}) };
  }

  get(kind: CallKind, isSecure: boolean): Agent {
    return (isSecure ? this.#secure : this.#plain)[kind];
  }

  /** Ends all of them, also those in use. */
  close(): void {
    for (const agents of [this.#plain, this.#secure])
      for (const agent of Object.values(agents)) agent.destroy();
  }
}
