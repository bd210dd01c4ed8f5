/** The streams this node keeps to all others that live: one to each, connected again whenever it breaks. */
import type { Duplex } from "node:stream";
import type { NodeAddress } from "../../core/ownership.ts";
import { PeerConnection, type PeerLimits } from "./peer-connection.ts";
import type { PeerFrame } from "./peer-frame.ts";

export interface PeerLinksOptions {
  /** All other nodes that live. Rejects while that cannot be found out. */
  nodes(): Promise<readonly NodeAddress[]>;
  open(node: NodeAddress): Promise<Duplex>;
  onFrame(node: number, frame: PeerFrame): void;
  onUp(node: number): void;
  onDown(node: number): void;
  /** It does not live any more. Called after `onDown`. */
  onGone(node: number): void;
  limits?: Partial<PeerLimits>;
  times?: Partial<LinkTimes>;
}

export interface LinkTimes {
  /** Between two looks at which nodes live. */
  refreshMs: number;
  firstPauseMs: number;
  maxPauseMs: number;
}

const DEFAULT_TIMES: LinkTimes = { refreshMs: 1000, firstPauseMs: 50, maxPauseMs: 2000 };

interface Link {
  address: NodeAddress;
  connection?: PeerConnection;
  isConnecting: boolean;
  retry?: NodeJS.Timeout;
  pauseMs: number;
}

export class PeerLinks {
  readonly #options: PeerLinksOptions;
  readonly #times: LinkTimes;
  readonly #links = new Map<number, Link>();
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: PeerLinksOptions) {
    this.#options = options;
    this.#times = { ...DEFAULT_TIMES, ...options.times };
    void this.#refresh();
  }

  isUp(node: number): boolean {
    return this.#links.get(node)?.connection?.isOpen ?? false;
  }

  /** Whether all nodes that live can be heard. */
  get areAllUp(): boolean {
    for (const { connection } of this.#links.values()) if (!connection?.isOpen) return false;
    return true;
  }

  /** False where there is no connection: nothing is kept for later. */
  send(node: number, frame: Buffer): boolean {
    const connection = this.#links.get(node)?.connection;
    connection?.write(frame);
    return connection?.isOpen ?? false;
  }

  sendAll(frame: Buffer): void {
    for (const { connection } of this.#links.values()) connection?.write(frame);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    for (const link of this.#links.values()) {
      clearTimeout(link.retry);
      link.connection?.close("the node stops");
    }
    this.#links.clear();
  }

  async #refresh(): Promise<void> {
    // Those that are known stay while the database cannot be reached.
    const nodes = await this.#options.nodes().catch(() => undefined);
    if (this.#isClosed) return;
    if (nodes) this.#follow(nodes);
    this.#timer = setTimeout(() => void this.#refresh(), this.#times.refreshMs).unref();
  }

  #follow(nodes: readonly NodeAddress[]): void {
    const living = new Map(nodes.map((node) => [node.id, node]));
    for (const [id, link] of this.#links) {
      const address = living.get(id);
      if (address) link.address = address;
      else this.#drop(id, link);
    }
    for (const [id, address] of living) {
      if (this.#links.has(id) || address.url === undefined) continue;
      const link: Link = { address, isConnecting: false, pauseMs: this.#times.firstPauseMs };
      this.#links.set(id, link);
      void this.#connect(id, link);
    }
  }

  #drop(id: number, link: Link): void {
    this.#links.delete(id);
    clearTimeout(link.retry);
    link.connection?.close("the node is dead");
    this.#options.onGone(id);
  }

  async #connect(id: number, link: Link): Promise<void> {
    if (link.isConnecting) return;
    link.isConnecting = true;
    const duplex = await this.#options.open(link.address).catch(() => undefined);
    link.isConnecting = false;
    if (this.#isClosed || this.#links.get(id) !== link) {
      duplex?.destroy();
      return;
    }
    if (!duplex) return this.#retry(id, link);
    const connectedAt = performance.now();
    link.connection = new PeerConnection(duplex, {
      limits: this.#options.limits,
      onFrame: (frame) => this.#options.onFrame(id, frame),
      onClose: () => {
        // One that speaks and is then not understood is not asked again at once.
        const livedMs = performance.now() - connectedAt;
        if (livedMs >= this.#times.maxPauseMs) link.pauseMs = this.#times.firstPauseMs;
        link.connection = undefined;
        this.#options.onDown(id);
        if (!this.#isClosed && this.#links.get(id) === link) this.#retry(id, link);
      },
    });
    this.#options.onUp(id);
  }

  #retry(id: number, link: Link): void {
    link.retry = setTimeout(() => void this.#connect(id, link), link.pauseMs).unref();
    link.pauseMs = Math.min(2 * link.pauseMs, this.#times.maxPauseMs);
  }
}
