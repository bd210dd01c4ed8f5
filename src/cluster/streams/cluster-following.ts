/** Everything that nodes tell each other live: the commits of sessions, what changes in all of them, and other news. */
import type { Duplex } from "node:stream";
import type { NodeAddress } from "../../core/ownership.ts";
import type { PeerNews } from "../../core/peer-news.ts";
import type { Store } from "../../core/store.ts";
import type { Engine, Follower } from "../../engine/engine.ts";
import { ClusterFeed, type FeedTimes } from "./cluster-feed.ts";
import { ClusterNews } from "./cluster-news.ts";
import type { CheckTimes, FoundHead } from "./head-checks.ts";
import type { PeerLimits } from "./peer-connection.ts";
import type { PeerFrame } from "./peer-frame.ts";
import { type LinkTimes, PeerLinks } from "./peer-links.ts";
import { ServedPeers } from "./served-peers.ts";
import { SessionFollowing } from "./session-following.ts";

/** Where peers open their streams. */
export const STREAM_PATH = "/streams";

/** The part of the transport between nodes that is needed here. */
export interface StreamTransport {
  /** One request with both bodies open. Rejects where the node cannot be reached. */
  open(node: NodeAddress, path: string): Promise<Duplex>;
}

/** The other side of it. */
export interface StreamRoutes {
  onOpen(path: string, handler: (duplex: Duplex, from: number) => void): void;
}

/** Which sessions are at this node. */
export interface HeldSessions {
  has(session: string): boolean;
  /** Calls it when one is at this node from now on, or no longer. Returns a function that unsubscribes. */
  onMoved(listener: (session: string, isHere: boolean) => void): () => void;
}

export interface ClusterFollowingOptions {
  /** Of this node alone. */
  engine: Pick<Engine, "follow" | "followAll">;
  store: Pick<Store, "readEvents" | "listSessions">;
  held: HeldSessions;
  transport: StreamTransport;
  routes: StreamRoutes;
  /** All other nodes that live. */
  nodes(): Promise<readonly NodeAddress[]>;
  readHeads(sessions: readonly string[]): Promise<ReadonlyMap<string, FoundHead>>;
  onFault(error: unknown): void;
  /** For tests that do not want to wait. */
  limits?: Partial<PeerLimits>;
  times?: Partial<LinkTimes & CheckTimes & FeedTimes> & { graceMs?: number };
}

export class ClusterFollowing implements Pick<Engine, "follow" | "followAll"> {
  readonly #served: ServedPeers;
  readonly #links: PeerLinks;
  readonly #sessions: SessionFollowing;
  readonly #feed: ClusterFeed;
  readonly #news: ClusterNews;
  readonly #stopWatching: () => void;

  constructor(options: ClusterFollowingOptions) {
    const { engine, store, held, transport, routes, nodes, readHeads, onFault, limits, times } = options;
    const has = (session: string) => held.has(session);
    this.#news = new ClusterNews({
      tell: (frame) => this.#served.tell(frame),
      onFault,
      graceMs: times?.graceMs,
    });
    this.#served = new ServedPeers({ engine, has, store, greeting: () => this.#news.greeting(), limits });
    this.#links = new PeerLinks({
      nodes,
      open: (node) => transport.open(node, STREAM_PATH),
      onFrame: (node, frame) => this.#take(node, frame),
      onUp: (node) => this.#up(node),
      onDown: (node) => {
        this.#sessions.down(node);
        this.#news.down(node);
      },
      onGone: (node) => {
        this.#news.gone(node);
        this.#feed.gone();
      },
      ...{ limits, times },
    });
    const links = this.#links;
    this.#sessions = new SessionFollowing({ engine, has, store, readHeads, links, onFault, times });
    this.#feed = new ClusterFeed({ engine, store, links, onFault, times });
    this.#stopWatching = held.onMoved((session, isHere) => {
      if (isHere) this.#served.claimed(session);
      else this.#served.released(session);
      this.#sessions.moved(session);
    });
    routes.onOpen(STREAM_PATH, (duplex) => this.#served.accept(duplex));
  }

  get news(): PeerNews {
    return this.#news;
  }

  follow(...args: Parameters<Engine["follow"]>): Follower {
    return this.#sessions.follow(...args);
  }

  followAll(onChange: Parameters<Engine["followAll"]>[0], onGap?: () => void): () => void {
    return this.#feed.followAll(onChange, onGap);
  }

  /** Readers get nothing more. Idempotent. */
  close(): void {
    this.#stopWatching();
    this.#links.close();
    this.#served.close();
    this.#sessions.close();
    this.#feed.close();
    this.#news.close();
  }

  #up(node: number): void {
    this.#news.up(node);
    this.#feed.up(node);
    this.#sessions.up();
  }

  #take(node: number, frame: PeerFrame): void {
    switch (frame.kind) {
      case "set":
      case "tell":
      case "ready":
        return this.#news.take(node, frame);
      case "feed":
        return this.#feed.take(JSON.parse(frame.body.toString()));
      case "feeding":
        return this.#feed.feeding();
      default:
        return this.#sessions.take(node, frame);
    }
  }
}
