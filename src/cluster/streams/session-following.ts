/**
 * Follows sessions wherever they are: here, at another node by its stream, or in the store while nobody tells. Who reads
 * notices nothing of a session that moves. Frames only say early what the store says too.
 */
import type { EncodedEvent } from "../../core/encoded-event.ts";
import type { Store } from "../../core/store.ts";
import type { Engine, Follower } from "../../engine/engine.ts";
import { FollowedLog } from "./followed-log.ts";
import {
  type CheckTimes,
  DEFAULT_CHECK_TIMES,
  type FoundHead,
  HeadChecks,
  type HeadChecksOptions,
} from "./head-checks.ts";
import { decodeEvents, encodeFrame, type PeerFrame } from "./peer-frame.ts";
import type { PeerLinks } from "./peer-links.ts";

export interface SessionFollowingOptions {
  /** Of this node alone. */
  engine: Pick<Engine, "follow">;
  /** Whether the session is at this node. */
  has(session: string): boolean;
  store: Pick<Store, "readEvents">;
  readHeads: HeadChecksOptions["readHeads"];
  links: Pick<PeerLinks, "isUp" | "send">;
  onFault(error: unknown): void;
  times?: Partial<CheckTimes>;
}

interface Listener {
  onEvents(events: readonly EncodedEvent[]): void;
  onDeleted?: () => void;
  onCutShort?: (head: number) => void;
}

interface Watched {
  readonly session: string;
  readonly log: FollowedLog;
  readonly listeners: Set<Listener>;
  readonly local: Follower;
  /** The number of the session, once it is known. */
  number?: number;
  /** The node that was asked to tell. */
  peer?: number;
  /** It does. */
  isTold: boolean;
  /** The node that was asked last and did not have it, and when. */
  refused?: { node: number; at: number };
}

/** What was known when the database was asked. */
interface Before {
  watched: Watched;
  cursor: number | undefined;
  peer: number | undefined;
}

/** What is read at once for those who are level. Whoever is further behind reads pages. */
const READ_EVENTS = 200;
const READ_BYTES = 256 * 1024;

export class SessionFollowing {
  readonly #options: SessionFollowingOptions;
  readonly #watched = new Map<string, Watched>();
  readonly #checks: HeadChecks;

  constructor(options: SessionFollowingOptions) {
    this.#options = options;
    const { readHeads, onFault, times } = options;
    this.#checks = new HeadChecks({
      readHeads,
      times,
      onError: onFault,
      before: (session) => {
        const watched = this.#watched.get(session);
        return watched && ({ watched, cursor: watched.log.cursor, peer: watched.peer } satisfies Before);
      },
      onFound: (session, found, before) => this.#found(session, found, before as Before),
      loose: () => this.#loose(),
      all: () => this.#watched.keys(),
    });
  }

  /** How many sessions are read here. */
  get size(): number {
    return this.#watched.size;
  }

  follow(
    session: string,
    onEvents: Listener["onEvents"],
    onDeleted?: () => void,
    onCutShort?: (head: number) => void,
  ): Follower {
    const watched = this.#watched.get(session) ?? this.#watch(session);
    const listener: Listener = { onEvents, onDeleted, onCutShort };
    watched.listeners.add(listener);
    return {
      stop: () => {
        if (watched.listeners.delete(listener) && watched.listeners.size === 0) this.#forget(watched);
      },
    };
  }

  /** From another node. */
  take(node: number, frame: PeerFrame): void {
    const watched = this.#watched.get(frame.words[0] ?? "");
    if (!watched) return;
    switch (frame.kind) {
      case "events": {
        const events = decodeEvents(frame);
        if (events) this.#give(watched, events);
        else this.#checks.soon(watched.session);
        return;
      }
      case "news":
        return this.#checks.soon(watched.session);
      case "following":
        if (watched.peer !== node) return;
        watched.isTold = true;
        // What was committed before it began to tell.
        return this.#checks.soon(watched.session);
      case "moved":
        if (watched.peer === node) this.#moved(watched, node);
        return;
      case "claimed":
        // Also where we believe to have it: we were declared dead, and cannot know it yet.
        return this.#ask(watched, node);
      case "deleted":
        return this.#deleted(watched);
      case "cut":
        return this.#cutShort(watched, Number(frame.words[1]));
    }
  }

  /** A node can be heard: it may have what is read here. */
  up(): void {
    for (const session of this.#loose()) this.#checks.soon(session);
  }

  down(node: number): void {
    for (const watched of this.#watched.values()) {
      if (watched.peer !== node) continue;
      watched.peer = undefined;
      watched.isTold = false;
      this.#checks.soon(watched.session);
    }
  }

  /** The session is at this node now, or no longer. */
  moved(session: string): void {
    const watched = this.#watched.get(session);
    if (!watched) return;
    if (this.#options.has(session)) this.#leavePeer(watched);
    // What the node before had committed last may not have been told.
    this.#checks.soon(session);
  }

  close(): void {
    this.#checks.close();
    for (const watched of [...this.#watched.values()]) this.#forget(watched);
  }

  #watch(session: string): Watched {
    const local = this.#options.engine.follow(
      session,
      (events) => this.#give(watched, events),
      () => this.#deleted(watched),
      (head) => this.#cutShort(watched, head),
    );
    const watched: Watched = {
      ...{ session, local },
      log: new FollowedLog(),
      listeners: new Set(),
      isTold: false,
    };
    this.#watched.set(session, watched);
    // Whoever follows reads the store afterwards, so nothing of our own is missing.
    if (!this.#options.has(session)) this.#checks.soon(session);
    return watched;
  }

  #forget(watched: Watched): void {
    if (this.#watched.get(watched.session) === watched) this.#watched.delete(watched.session);
    watched.local.stop();
    this.#leavePeer(watched);
  }

  #give(watched: Watched, events: readonly EncodedEvent[]): void {
    const fresh = watched.log.take(events);
    if (fresh.length === 0) return;
    for (const listener of [...watched.listeners]) this.#tell(() => listener.onEvents(fresh));
  }

  /**
   * The node that was asked does not have it, or no longer. While the database says that it has, it is asked again with
   * the next round, and not at once: that would be as fast as it answers.
   */
  #moved(watched: Watched, node: number): void {
    const { isTold, refused, session } = watched;
    const { looseMs } = { ...DEFAULT_CHECK_TIMES, ...this.#options.times };
    const at = performance.now();
    watched.peer = undefined;
    watched.isTold = false;
    watched.refused = isTold ? undefined : { node, at };
    const isAgain = !isTold && refused?.node === node && at - refused.at < looseMs;
    if (!isAgain) this.#checks.soon(session);
  }

  #deleted(watched: Watched): void {
    for (const listener of this.#release(watched)) this.#tell(() => listener.onDeleted?.());
  }

  /** Whoever reads begins anew, and is followed anew. */
  #cutShort(watched: Watched, head: number): void {
    for (const listener of this.#release(watched)) this.#tell(() => listener.onCutShort?.(head));
  }

  /** It is not followed any more. Returns who did. */
  #release(watched: Watched): Listener[] {
    const listeners = [...watched.listeners];
    watched.listeners.clear();
    this.#forget(watched);
    return listeners;
  }

  #tell(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.#options.onFault(error);
    }
  }

  *#loose(): Generator<string> {
    for (const [session, { isTold }] of this.#watched)
      if (!isTold && !this.#options.has(session)) yield session;
  }

  #ask(watched: Watched, node: number): void {
    const { session, log } = watched;
    if (watched.peer === node) return;
    this.#leavePeer(watched);
    const words = log.cursor === undefined ? [session] : [session, log.cursor];
    if (this.#options.links.send(node, encodeFrame("follow", words))) watched.peer = node;
  }

  #leavePeer(watched: Watched): void {
    const { peer, session } = watched;
    watched.peer = undefined;
    watched.isTold = false;
    if (peer !== undefined) this.#options.links.send(peer, encodeFrame("leave", [session]));
  }

  async #found(session: string, found: FoundHead | undefined, before: Before): Promise<void> {
    const { watched, cursor } = before;
    if (this.#watched.get(session) !== watched) return;
    if (!found) return this.#deleted(watched);
    const isShorter = found.head < (cursor ?? 0);
    const isSame = found.number !== undefined && (watched.number ?? found.number) === found.number;
    watched.number = found.number;
    // A log becomes shorter where the database has lost a part of it, or where it was deleted and made anew.
    if (isShorter) return isSame ? this.#cutShort(watched, found.head) : this.#deleted(watched);
    this.#followOwner(watched, found.owner, before.peer);
    if (found.head > (watched.log.cursor ?? 0)) await this.#read(watched, found.head);
  }

  #followOwner(watched: Watched, owner: number | undefined, peerBefore: number | undefined): void {
    const { peer, session } = watched;
    // What was told meanwhile is newer.
    if (peer !== peerBefore || this.#options.has(session)) return;
    if (owner !== undefined && this.#options.links.isUp(owner)) this.#ask(watched, owner);
    else if (peer !== undefined && peer !== owner) this.#leavePeer(watched);
  }

  async #read(watched: Watched, head: number): Promise<void> {
    const { session, log } = watched;
    // Where nobody was told anything, the newest event is enough: whoever lacks more reads it.
    const after = Math.max(log.cursor ?? head - 1, head - READ_EVENTS);
    const page = await this.#options.store.readEvents(session, after, READ_EVENTS, READ_BYTES);
    if (this.#watched.get(session) !== watched) return;
    this.#give(watched, page.events);
    if (page.head === 0) this.#deleted(watched);
    else if ((log.cursor ?? 0) < page.head) this.#checks.soon(session);
  }
}
