/**
 * What changes in the sessions of all nodes. Other nodes tell their changes while somebody here wants to know. Where some may
 * have been missed, listeners are told so and read the store.
 */
import type { EncodedEvent } from "../../core/encoded-event.ts";
import { type SessionSummary, summarizeSession } from "../../core/session-summary.ts";
import type { Store } from "../../core/store.ts";
import type { Engine } from "../../engine/engine.ts";
import { encodeFrame } from "./peer-frame.ts";
import type { PeerLinks } from "./peer-links.ts";

export interface ClusterFeedOptions {
  /** Of this node alone. */
  engine: Pick<Engine, "followAll">;
  store: Pick<Store, "listSessions">;
  links: Pick<PeerLinks, "send" | "sendAll" | "areAllUp">;
  onFault(error: unknown): void;
  times?: Partial<FeedTimes>;
}

export interface FeedTimes {
  /** Between two looks into the store while a node cannot be heard. */
  pollMs: number;
  /** How long others go on to tell when nobody listens any more. */
  lingerMs: number;
  /** Gaps within this time are one. */
  gapMs: number;
}

const DEFAULT_TIMES: FeedTimes = { pollMs: 1000, lingerMs: 60_000, gapMs: 20 };

type Change = SessionSummary | { session: string; deleted: true };
type ChangeListener = (change: Change, events: readonly EncodedEvent[]) => void;

interface Listener {
  onChange: ChangeListener;
  onGap?: () => void;
}

const NONE: readonly EncodedEvent[] = [];
/** Of how many sessions it is kept how far they were told. */
const MAX_HEADS = 10_000;
/** How many of those that changed last are looked at. */
const POLLED_SESSIONS = 50;

export class ClusterFeed {
  readonly #options: ClusterFeedOptions;
  readonly #times: FeedTimes;
  readonly #listeners = new Set<Listener>();
  /** The least recently changed first. */
  readonly #heads = new Map<string, number>();
  #stopLocal: (() => void) | undefined;
  #isWanted = false;
  #linger: NodeJS.Timeout | undefined;
  #poll: NodeJS.Timeout | undefined;
  #gap: NodeJS.Timeout | undefined;

  constructor(options: ClusterFeedOptions) {
    this.#options = options;
    this.#times = { ...DEFAULT_TIMES, ...options.times };
  }

  followAll(onChange: ChangeListener, onGap?: () => void): () => void {
    const listener: Listener = { onChange, onGap };
    this.#listeners.add(listener);
    this.#start();
    return () => {
      if (this.#listeners.delete(listener) && this.#listeners.size === 0) this.#stop();
    };
  }

  /** From another node. */
  take(changes: readonly Change[]): void {
    for (const change of changes) if (this.#isNews(change)) this.#tell(change, NONE);
  }

  /** A node tells its changes from now on; earlier ones may have been missed, or not count any more. */
  feeding(): void {
    this.#missed();
  }

  up(node: number): void {
    if (this.#isWanted) this.#options.links.send(node, encodeFrame("feed"));
  }

  /** What it had told last may be missing. */
  gone(): void {
    this.#missed();
  }

  close(): void {
    this.#listeners.clear();
    this.#stop();
    clearTimeout(this.#linger);
    clearTimeout(this.#gap);
  }

  #start(): void {
    clearTimeout(this.#linger);
    this.#stopLocal ??= this.#options.engine.followAll(
      (change, events) => {
        this.#note(change);
        this.#tell(change, events);
      },
      () => this.#missed(),
    );
    this.#poll ??= setInterval(() => void this.#look(), this.#times.pollMs).unref();
    if (this.#isWanted) return;
    this.#isWanted = true;
    this.#options.links.sendAll(encodeFrame("feed"));
  }

  #stop(): void {
    this.#stopLocal?.();
    this.#stopLocal = undefined;
    clearInterval(this.#poll);
    this.#poll = undefined;
    this.#heads.clear();
    this.#linger = setTimeout(() => {
      this.#isWanted = false;
      this.#options.links.sendAll(encodeFrame("quiet"));
    }, this.#times.lingerMs).unref();
  }

  /** False for what a node tells late: the session was at another one since. */
  #isNews(change: Change): boolean {
    const isLate = !("deleted" in change) && change.head < (this.#heads.get(change.session) ?? 0);
    if (!isLate) this.#note(change);
    return !isLate;
  }

  #note(change: Change): void {
    this.#heads.delete(change.session);
    if ("deleted" in change) return;
    this.#heads.set(change.session, change.head);
    if (this.#heads.size <= MAX_HEADS) return;
    for (const oldest of this.#heads.keys()) {
      this.#heads.delete(oldest);
      return;
    }
  }

  #tell(change: Change, events: readonly EncodedEvent[]): void {
    for (const { onChange } of [...this.#listeners]) this.#call(() => onChange(change, events));
  }

  #missed(): void {
    // A log may be shorter than it was: then what is told of it is not late.
    this.#heads.clear();
    if (this.#listeners.size === 0) return;
    this.#gap ??= setTimeout(() => {
      this.#gap = undefined;
      for (const { onGap } of [...this.#listeners]) this.#call(() => onGap?.());
    }, this.#times.gapMs).unref();
  }

  #call(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.#options.onFault(error);
    }
  }

  /** While a node cannot be heard: what changed last, wherever it is. All that was missed comes once it can be heard. */
  async #look(): Promise<void> {
    if (this.#options.links.areAllUp) return;
    try {
      const { sessions } = await this.#options.store.listSessions({ limit: POLLED_SESSIONS });
      if (this.#listeners.size === 0) return;
      const changed = sessions.filter(({ id, head }) => head > (this.#heads.get(id) ?? 0));
      this.take(changed.reverse().map(summarizeSession));
    } catch (error) {
      this.#options.onFault(error);
    }
  }
}
