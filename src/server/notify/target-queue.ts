/** What waits to be sent to one target: in order, one at a time, tried again, and never more than fits. */
import { randomUUID } from "node:crypto";
import type { NotifyTarget } from "../../core/notify-target.ts";
import type { Notification } from "./notification.ts";
import type { SendOutcome, sendNotification } from "./send-notification.ts";

/** More are dropped, the oldest first: the newest say what is the case. */
const MAX_WAITING = 100;
const RETRY_DELAYS_MS = [1000, 5000, 30_000, 120_000];

export interface TargetQueueOptions {
  target: NotifyTarget;
  send: typeof sendNotification;
  onOutcome(outcome: SendOutcome | { state: "dropped" }): void;
  /** After which attempts are repeated, in order. */
  retryDelaysMs?: readonly number[];
}

export class TargetQueue {
  readonly #options: TargetQueueOptions;
  readonly #closed = new AbortController();
  readonly #waiting: { id: string; notification: Notification }[] = [];
  #isSending = false;

  constructor(options: TargetQueueOptions) {
    this.#options = options;
  }

  get target(): NotifyTarget {
    return this.#options.target;
  }

  /** Including the one that is being sent. */
  get size(): number {
    return this.#waiting.length;
  }

  /** Returns at once. */
  add(notification: Notification): void {
    if (this.#closed.signal.aborted) return;
    if (this.#waiting.length >= MAX_WAITING) {
      // The first one may be under way.
      this.#waiting.splice(this.#isSending ? 1 : 0, 1);
      this.#options.onOutcome({ state: "dropped" });
    }
    this.#waiting.push({ id: randomUUID(), notification });
    if (!this.#isSending) void this.#sendAll();
  }

  /** Sends nothing more. */
  close(): void {
    this.#closed.abort();
    this.#waiting.length = 0;
  }

  async #sendAll(): Promise<void> {
    this.#isSending = true;
    for (let next = this.#waiting[0]; next; next = this.#waiting[0]) {
      const outcome = await this.#attempt(next);
      if (this.#closed.signal.aborted) return;
      this.#waiting.shift();
      this.#options.onOutcome(outcome);
    }
    this.#isSending = false;
  }

  async #attempt({ id, notification }: { id: string; notification: Notification }): Promise<SendOutcome> {
    const { target, send, retryDelaysMs = RETRY_DELAYS_MS } = this.#options;
    const { signal } = this.#closed;
    let outcome = await send(target, notification, { id, signal });
    for (const delay of retryDelaysMs) {
      if (outcome.state === "delivered" || outcome.isFinal || signal.aborted) break;
      await pause(delay, signal);
      if (signal.aborted) break;
      outcome = await send(target, notification, { id, signal });
    }
    return outcome;
  }
}

/** Ends early when `signal` is aborted, and keeps no process alive. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    timer.unref();
    signal.addEventListener("abort", done);
  });
}
