/**
 * The notifications that wait for one target. A notification that fails delays no other: asks go first, retries run beside
 * new notifications, and everything is bounded.
 */
import { randomUUID } from "node:crypto";
import type { NotifyTarget } from "../../core/notify-target.ts";
import type { Notification } from "./notification.ts";
import type { SendOutcome, sendNotification } from "./send-notification.ts";

/** Of one target, including those under way. More are dropped, the oldest first and asks last. */
const MAX_WAITING = 100;

const MINUTE_MS = 60_000;
const RETRY_DELAYS_MS = [1000, 5000, 30_000, 2 * MINUTE_MS];
/** Somebody is still needed until the ask is settled, so a receiver may be away for an hour. */
const ASK_RETRY_DELAYS_MS = [...RETRY_DELAYS_MS, ...Array.from({ length: 6 }, () => 10 * MINUTE_MS)];

/**
 * How many requests each lane has under way at once. A lane has one at a time and so keeps the order, unless a request is
 * slow: then the next one starts beside it.
 */
const MAX_REQUESTS = { asks: 4, others: 2, retries: 2 } as const;
const SLOW_MS = 1000;

type Lane = keyof typeof MAX_REQUESTS;
const LANES = Object.keys(MAX_REQUESTS) as Lane[];

/** What became of a notification. `settled`: its ask was answered or closed before it could be delivered. */
export type NotificationOutcome = "delivered" | "failed" | "dropped" | "settled";

export interface QueueClock {
  /** In milliseconds; never goes back. */
  now(): number;
  /** Calls `act` once after `ms`, unless the returned function is called before. Keeps no process alive. */
  after(ms: number, act: () => void): () => void;
}

export interface TargetQueueOptions {
  target: NotifyTarget;
  send: typeof sendNotification;
  /** Called once for each notification, unless the queue is closed before. */
  onOutcome(outcome: NotificationOutcome): void;
  /** Called after each attempt. */
  onAttempt?(outcome: SendOutcome): void;
  /** The pauses before further attempts. */
  retryDelaysMs?: readonly number[];
  clock?: QueueClock;
}

interface Entry {
  readonly id: string;
  readonly notification: Notification;
  /** Of failed attempts. */
  failures: number;
  /** When the next attempt may start. */
  dueAt: number;
  request: "none" | "started" | "slow";
  isSettled: boolean;
}

export class TargetQueue {
  readonly #options: TargetQueueOptions;
  readonly #clock: QueueClock;
  readonly #closed = new AbortController();
  /** In the order in which they were added. */
  readonly #entries = new Set<Entry>();
  #isStartPlanned = false;
  #stopWaiting = () => {};

  constructor(options: TargetQueueOptions) {
    this.#options = options;
    this.#clock = options.clock ?? SYSTEM_CLOCK;
  }

  get target(): NotifyTarget {
    return this.#options.target;
  }

  /** Including those under way. */
  get size(): number {
    return this.#entries.size;
  }

  /** Returns before anything is sent: an ask that is settled in the same turn of the event loop is never sent. */
  add(notification: Notification): void {
    if (this.#closed.signal.aborted) return;
    if (this.#entries.size >= MAX_WAITING) this.#dropOne();
    this.#entries.add({
      ...{ id: randomUUID(), notification, failures: 0, dueAt: this.#clock.now() },
      ...{ request: "none", isSettled: false },
    });
    this.#planStart();
  }

  /** The ask needs nobody any more: what waits for it is not sent, and not tried again. Idempotent. */
  settleAsk(session: string, ask: string): void {
    this.#settle(({ notification }) => notification.session === session && notification.ask?.id === ask);
  }

  /** The asks of a deleted session need nobody any more. Idempotent. */
  settleSession(session: string): void {
    this.#settle(({ notification }) => notification.session === session && isAsk(notification));
  }

  /** Ends requests that are under way, and sends nothing more. */
  close(): void {
    this.#closed.abort();
    this.#entries.clear();
    this.#stopWaiting();
  }

  #settle(isMeant: (entry: Entry) => boolean): void {
    for (const entry of [...this.#entries].filter(isMeant)) {
      entry.isSettled = true;
      if (entry.request === "none") this.#end(entry, "settled");
    }
  }

  #dropOne(): void {
    const waiting = [...this.#entries].filter(({ request }) => request === "none");
    const entry = waiting.find(({ notification }) => !isAsk(notification)) ?? waiting[0];
    if (entry) this.#end(entry, "dropped");
  }

  #end(entry: Entry, outcome: NotificationOutcome): void {
    this.#entries.delete(entry);
    this.#options.onOutcome(outcome);
  }

  #planStart(): void {
    if (this.#isStartPlanned) return;
    this.#isStartPlanned = true;
    queueMicrotask(() => {
      this.#isStartPlanned = false;
      this.#startDue();
    });
  }

  #startDue(): void {
    this.#stopWaiting();
    if (this.#closed.signal.aborted) return;
    const now = this.#clock.now();
    for (const lane of LANES)
      for (let next = this.#nextOf(lane, now); next; next = this.#nextOf(lane, now)) void this.#attempt(next);
    const later = [...this.#entries].filter(({ dueAt }) => dueAt > now).map(({ dueAt }) => dueAt);
    if (later.length > 0)
      this.#stopWaiting = this.#clock.after(Math.min(...later) - now, () => this.#startDue());
  }

  #nextOf(lane: Lane, now: number): Entry | undefined {
    const entries = [...this.#entries].filter((entry) => laneOf(entry) === lane);
    const underWay = entries.filter(({ request }) => request !== "none");
    if (underWay.length >= MAX_REQUESTS[lane] || underWay.some(({ request }) => request === "started")) {
      return undefined;
    }
    const due = entries.filter(({ request, dueAt }) => request === "none" && dueAt <= now);
    return due.find(({ notification }) => isAsk(notification)) ?? due[0];
  }

  async #attempt(entry: Entry): Promise<void> {
    const { target, send, onAttempt } = this.#options;
    const { signal } = this.#closed;
    entry.request = "started";
    const stopWatching = this.#clock.after(SLOW_MS, () => {
      entry.request = "slow";
      this.#startDue();
    });
    const outcome = await send(target, entry.notification, { id: entry.id, signal });
    stopWatching();
    if (signal.aborted) return;
    entry.request = "none";
    onAttempt?.(outcome);
    if (outcome.state === "delivered") this.#end(entry, "delivered");
    else if (entry.isSettled) this.#end(entry, "settled");
    else this.#retryLater(entry, outcome.isFinal);
    this.#startDue();
  }

  #retryLater(entry: Entry, isFinal: boolean): void {
    const defaults = isAsk(entry.notification) ? ASK_RETRY_DELAYS_MS : RETRY_DELAYS_MS;
    const delay = (this.#options.retryDelaysMs ?? defaults)[entry.failures];
    if (isFinal || delay === undefined) {
      this.#end(entry, "failed");
      return;
    }
    entry.failures += 1;
    entry.dueAt = this.#clock.now() + delay;
  }
}

const SYSTEM_CLOCK: QueueClock = {
  now: () => performance.now(),
  after(ms, act) {
    const timer = setTimeout(act, ms).unref();
    return () => clearTimeout(timer);
  },
};

function laneOf({ failures, notification }: Entry): Lane {
  if (failures > 0) return "retries";
  return isAsk(notification) ? "asks" : "others";
}

function isAsk({ event }: Notification): boolean {
  return event === "ask";
}
