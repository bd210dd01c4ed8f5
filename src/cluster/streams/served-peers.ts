/**
 * The sessions of this node for others: tells each peer the commits of the sessions it asks for, what changes in all of them, and
 * the news of this node. A frame is made once for all peers.
 */
import type { Duplex } from "node:stream";
import type { EncodedEvent } from "../../core/encoded-event.ts";
import { PacedChanges, type SessionChange, type StartPause } from "../../core/paced-changes.ts";
import type { EventPage, Store } from "../../core/store.ts";
import type { Engine, Follower } from "../../engine/engine.ts";
import { PeerConnection, type PeerLimits } from "./peer-connection.ts";
import { encodeEvents, encodeFrame, type PeerFrame } from "./peer-frame.ts";

export interface ServedPeersOptions {
  /** Of this node alone. */
  engine: Pick<Engine, "follow" | "followAll">;
  /** Whether the session is at this node. */
  has(session: string): boolean;
  store: Pick<Store, "readEvents">;
  /** Frames for a peer that has just connected. */
  greeting(): Iterable<Buffer>;
  limits?: Partial<PeerLimits>;
  /** How many sessions one peer may follow. */
  maxFollowed?: number;
  /** Between two frames about the progress of a session; tests have their own. */
  startPause?: StartPause;
}

interface Served {
  readonly follower: Follower;
  /** With what is read for those who are told what they missed first. */
  readonly peers: Map<PeerConnection, Reading | undefined>;
}

interface Reading {
  /** Something was committed since it began. */
  hasNews: boolean;
}

/** How long a list of changes may be, in characters. */
const FEED_LENGTH = 512 * 1024;

/** More than that many sessions nobody reads at once by one node. */
const MAX_FOLLOWED = 20_000;

/** What is read at once of what a peer missed, and how often. Where it missed more, it reads the store. */
const READ_EVENTS = 1000;
const READ_BYTES = 1024 * 1024;
const MAX_READS = 10;

export class ServedPeers {
  readonly #options: ServedPeersOptions;
  /** With the sessions that each follows. */
  readonly #peers = new Map<PeerConnection, Set<string>>();
  readonly #sessions = new Map<string, Served>();
  /** Who wants to know of all changes. */
  readonly #feed = new Set<PeerConnection>();
  #stopFeed: (() => void) | undefined;
  /** The latest of each session since they were sent. */
  #changes = new Map<string, string>();
  readonly #paced: PacedChanges;
  #isClosed = false;

  constructor(options: ServedPeersOptions) {
    this.#options = options;
    this.#paced = new PacedChanges((change) => this.#note(change), options.startPause);
  }

  /** How many are connected. */
  get size(): number {
    return this.#peers.size;
  }

  accept(duplex: Duplex): void {
    if (this.#isClosed) {
      duplex.destroy();
      return;
    }
    const followed = new Set<string>();
    const peer: PeerConnection = new PeerConnection(duplex, {
      limits: this.#options.limits,
      onFrame: (frame) => this.#take(peer, followed, frame),
      onClose: () => {
        this.#peers.delete(peer);
        this.#endFeed(peer);
        for (const session of followed) this.#leave(peer, session);
      },
    });
    this.#peers.set(peer, followed);
    peer.greet([...this.#options.greeting(), encodeFrame("ready")]);
  }

  /** To all. */
  tell(frame: Buffer): void {
    for (const peer of this.#peers.keys()) peer.write(frame);
  }

  /** The session is at this node from now on. */
  claimed(session: string): void {
    if (this.#peers.size > 0) this.tell(encodeFrame("claimed", [session]));
  }

  /** Others may have it. */
  released(session: string): void {
    this.#end(session, "moved");
  }

  close(): void {
    this.#isClosed = true;
    for (const peer of [...this.#peers.keys()]) peer.close("the node stops");
  }

  #take(peer: PeerConnection, followed: Set<string>, { kind, words }: PeerFrame): void {
    const [session = ""] = words;
    switch (kind) {
      case "follow":
        if (followed.size >= (this.#options.maxFollowed ?? MAX_FOLLOWED) || !this.#options.has(session))
          return peer.write(encodeFrame("moved", [session]));
        followed.add(session);
        peer.write(encodeFrame("following", [session]));
        return void this.#add(peer, session, words[1]);
      case "leave":
        followed.delete(session);
        return this.#leave(peer, session);
      case "feed":
        this.#feed.add(peer);
        this.#stopFeed ??= this.#options.engine.followAll(
          (change) => this.#paced.take(change),
          () => this.#missed(),
        );
        return peer.write(encodeFrame("feeding"));
      case "quiet":
        return this.#endFeed(peer);
    }
  }

  #serve(session: string): Served {
    const known = this.#sessions.get(session);
    if (known) return known;
    const follower = this.#options.engine.follow(
      session,
      (events) => this.#publish(session, events),
      () => this.#end(session, "deleted"),
      (head) => this.#cutShort(session, head),
    );
    const served: Served = { follower, peers: new Map() };
    this.#sessions.set(session, served);
    return served;
  }

  /**
   * What the peer missed comes before what is new. Mostly it reads that itself; it may be one that cannot reach the database,
   * and follows a session that has just been taken over.
   */
  async #add(peer: PeerConnection, session: string, after: string | undefined): Promise<void> {
    const { peers } = this.#serve(session);
    let cursor = after === undefined ? Number.NaN : Number(after);
    peers.set(peer, undefined);
    for (let reads = 0; Number.isSafeInteger(cursor) && reads < MAX_READS; reads += 1) {
      const reading: Reading = { hasNews: false };
      peers.set(peer, reading);
      const missed = await this.#read(session, cursor);
      // It left meanwhile or follows anew, or the session is not here any more.
      if (this.#sessions.get(session)?.peers.get(peer) !== reading) return;
      if (!missed) break;
      if (missed.events.length > 0) peer.write(encodeEvents(session, missed.events));
      cursor = missed.events.at(-1)?.seq ?? cursor;
      if (!reading.hasNews && cursor >= missed.head) break;
    }
    peers.set(peer, undefined);
  }

  /** Undefined where it cannot be read: the peer tries that itself. */
  #read(session: string, after: number): Promise<EventPage | undefined> {
    return this.#options.store.readEvents(session, after, READ_EVENTS, READ_BYTES).catch(() => undefined);
  }

  #publish(session: string, events: readonly EncodedEvent[]): void {
    const peers = this.#sessions.get(session)?.peers;
    if (!peers || events.length === 0) return;
    const frame = encodeEvents(session, events);
    for (const [peer, reading] of peers) {
      if (reading) reading.hasNews = true;
      else peer.write(frame);
    }
  }

  #cutShort(session: string, head: number): void {
    const frame = encodeFrame("cut", [session, head]);
    for (const peer of this.#sessions.get(session)?.peers.keys() ?? []) peer.write(frame);
  }

  /** Nobody follows it here any more. Those who did are told why. */
  #end(session: string, reason: "moved" | "deleted"): void {
    const served = this.#sessions.get(session);
    if (!served) return;
    this.#sessions.delete(session);
    served.follower.stop();
    const frame = encodeFrame(reason, [session]);
    for (const peer of served.peers.keys()) {
      this.#peers.get(peer)?.delete(session);
      peer.write(frame);
    }
  }

  #leave(peer: PeerConnection, session: string): void {
    const served = this.#sessions.get(session);
    if (!served?.peers.delete(peer) || served.peers.size > 0) return;
    this.#sessions.delete(session);
    served.follower.stop();
  }

  #endFeed(peer: PeerConnection): void {
    if (!this.#feed.delete(peer) || this.#feed.size > 0) return;
    this.#stopFeed?.();
    this.#stopFeed = undefined;
    this.#paced.clear();
    this.#changes.clear();
  }

  /** What was told before does not count any more. */
  #missed(): void {
    this.#paced.flush();
    this.#flushFeed();
    const frame = encodeFrame("feeding");
    for (const peer of this.#feed) peer.write(frame);
  }

  /** Once per turn of the event loop: a session that changes often is told once. */
  #note(change: SessionChange): void {
    if (this.#changes.size === 0) setImmediate(() => this.#flushFeed());
    this.#changes.set(change.session, JSON.stringify(change));
  }

  #flushFeed(): void {
    const changes = [...this.#changes.values()];
    this.#changes.clear();
    for (let start = 0; start < changes.length; ) {
      let end = start;
      for (let length = 0; end < changes.length && length < FEED_LENGTH; end += 1)
        length += changes[end]!.length;
      const frame = encodeFrame("feed", [], `[${changes.slice(start, end).join(",")}]`);
      for (const peer of this.#feed) peer.write(frame);
      start = end;
    }
  }
}
