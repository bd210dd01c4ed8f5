/**
 * Who watches: whose streams of each session are open. In memory only, since a stream ends with the daemon. Where several nodes
 * share a store, each tells the others who watches by it.
 */
import { setImmediate } from "node:timers/promises";
import type { PeerNews } from "../../core/peer-news.ts";
import { TimeSlices } from "../../core/time-slices.ts";
import type { PresenceView, Viewer } from "../../protocol/schemas/presence.ts";
import { PresenceElsewhere } from "./presence-elsewhere.ts";

/** The most viewers of a session that are listed. There may be more: as many as there may be streams. */
const MAX_VIEWERS = 100;

const TOPIC = "presence";

/** The most listeners get of one turn of the event loop is one call for each session. */
export class Presence {
  readonly #now: () => number;
  readonly #slices: TimeSlices;
  readonly #onFault: (error: unknown) => void;
  /** By session, then by name, role and dialect; the longest here first. */
  readonly #sessions = new Map<string, Map<string, Present>>();
  readonly #listeners = new Map<string, Set<() => void>>();
  readonly #listenersOfAll = new Set<(session: string) => void>();
  /** Sessions where somebody came or left since listeners were told. */
  readonly #changed = new Set<string>();
  #isTelling = false;
  readonly #changedElsewhere = new Set<string>();
  readonly #elsewhere = new PresenceElsewhere();
  #news: PeerNews | undefined;

  /** `onFault` gets what a listener threw. The other listeners are called all the same. */
  constructor(
    now: () => number = Date.now,
    slices = new TimeSlices(),
    onFault: (error: unknown) => void = () => {},
  ) {
    this.#now = now;
    this.#slices = slices;
    this.#onFault = onFault;
  }

  /** Counts a stream. Returns a function that takes it off again, which may be called more than once. */
  enter(session: string, { name, role, dialect }: Pick<Viewer, "name" | "role" | "dialect">): () => void {
    const present = this.#sessions.get(session) ?? new Map<string, Present>();
    this.#sessions.set(session, present);
    const key = JSON.stringify([name, role, dialect]);
    const viewer = present.get(key) ?? { name, role, dialect, since: this.#now(), count: 0, told: 0 };
    present.set(key, viewer);
    viewer.count += 1;
    this.#change(session);
    let isHere = true;
    return () => {
      if (!isHere) return;
      isHere = false;
      viewer.count -= 1;
      this.#change(session);
    };
  }

  /** Tells other nodes, and shows those who watch by them. Returns a function that ends it. */
  share(news: PeerNews): () => void {
    this.#news = news;
    const stop = news.listen(TOPIC, ({ node, key: session, value }) => {
      this.#elsewhere.set(node, session, value as PresenceView | undefined);
      this.#change(session);
      this.#changedElsewhere.add(session);
    });
    return () => {
      this.#news = undefined;
      stop();
    };
  }

  of(session: string): PresenceView {
    return this.#elsewhere.addTo(session, this.#here(session), MAX_VIEWERS);
  }

  #here(session: string): PresenceView {
    const viewers: Viewer[] = [];
    let total = 0;
    for (const { told: _, ...viewer } of this.#sessions.get(session)?.values() ?? []) {
      // Who left in this turn of the event loop may come back in it.
      if (viewer.count === 0) continue;
      total += 1;
      if (viewers.length < MAX_VIEWERS) viewers.push(viewer);
    }
    return { viewers, total };
  }

  /** The sessions somebody watches. */
  *sessions(): Generator<string> {
    for (const session of this.#sessions.keys()) if (this.of(session).total > 0) yield session;
    for (const session of this.#elsewhere.sessions()) if (!this.#sessions.has(session)) yield session;
  }

  /** Calls `listener` whenever somebody came or left. Returns a function that unsubscribes. */
  follow(session: string, listener: () => void): () => void {
    const listeners = this.#listeners.get(session) ?? new Set();
    this.#listeners.set(session, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(session) === listeners) this.#listeners.delete(session);
    };
  }

  /** As `follow`, for every session. */
  followAll(listener: (session: string) => void): () => void {
    this.#listenersOfAll.add(listener);
    return () => this.#listenersOfAll.delete(listener);
  }

  #change(session: string): void {
    this.#changed.add(session);
    if (this.#isTelling) return;
    this.#isTelling = true;
    void this.#tell();
  }

  async #tell(): Promise<void> {
    while (this.#changed.size > 0) {
      await setImmediate();
      const changed = [...this.#changed];
      this.#changed.clear();
      for (const session of changed) {
        const isOtherHere = this.#settle(session);
        if (isOtherHere) this.#call(() => this.#tellPeers(session));
        if (this.#changedElsewhere.delete(session) || isOtherHere) await this.#tellListeners(session);
      }
    }
    this.#isTelling = false;
  }

  /** In slices: there may be thousands, and each may write to a socket. Changes meanwhile are told together afterwards. */
  async #tellListeners(session: string): Promise<void> {
    const listeners = this.#listeners.get(session) ?? new Set();
    for (const listener of [...listeners]) {
      if (listeners.has(listener)) this.#call(listener);
      const pause = this.#slices.pause();
      if (pause) await pause;
    }
    for (const listener of [...this.#listenersOfAll]) this.#call(() => listener(session));
  }

  /** A fault of one listener must not keep the news from the others, or from anybody later. */
  #call(listener: () => void): void {
    try {
      listener();
    } catch (error) {
      this.#onFault(error);
    }
  }

  #tellPeers(session: string): void {
    const view = this.#here(session);
    this.#news?.set(TOPIC, session, view.total > 0 ? view : undefined);
  }

  /** Forgets who left. False if it is as it was when listeners were told. */
  #settle(session: string): boolean {
    const present = this.#sessions.get(session);
    if (!present) return false;
    let isOther = false;
    for (const [key, viewer] of present) {
      if (viewer.count !== viewer.told) isOther = true;
      viewer.told = viewer.count;
      if (viewer.count === 0) present.delete(key);
    }
    if (present.size === 0) this.#sessions.delete(session);
    return isOther;
  }
}

interface Present extends Viewer {
  /** The count that listeners know. */
  told: number;
}
