/** Counts what this node asks of others, for metrics. */
import type { Duplex } from "node:stream";
import type { NodeAddress } from "../../core/ownership.ts";
import { type CallOptions, type PeerTransport, PeerUnreachableError } from "./peer-transport.ts";

export class CountedTransport implements PeerTransport {
  readonly #transport: PeerTransport;
  /** `unanswered` are calls that nobody answered; `openStreams` are open now. */
  readonly counts = { calls: 0, unanswered: 0, openStreams: 0 };

  constructor(transport: PeerTransport) {
    this.#transport = transport;
  }

  async call(node: NodeAddress, path: string, body: unknown, options?: CallOptions): Promise<unknown> {
    this.counts.calls += 1;
    try {
      return await this.#transport.call(node, path, body, options);
    } catch (error) {
      if (error instanceof PeerUnreachableError) this.counts.unanswered += 1;
      throw error;
    }
  }

  async open(node: NodeAddress, path: string): Promise<Duplex> {
    const duplex = await this.#transport.open(node, path);
    this.counts.openStreams += 1;
    duplex.once("close", () => {
      this.counts.openStreams -= 1;
    });
    return duplex;
  }
}
