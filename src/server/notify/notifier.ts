/** Tells the targets of the config what happens in all sessions. Nothing waits for it, and nothing fails with it. */
import type { Logger } from "pino";
import { type EncodedEvent, eventOf } from "../../core/encoded-event.ts";
import type { NotifyTarget } from "../../core/notify-target.ts";
import type { SessionSummary } from "../../core/session-summary.ts";
import type { Engine } from "../../engine/engine.ts";
import { notificationOf } from "./notification.ts";
import { type SendOutcome, sendNotification } from "./send-notification.ts";
import { TargetQueue } from "./target-queue.ts";

export interface NotifierOptions {
  engine: Pick<Engine, "followAll" | "agents">;
  targets: readonly NotifyTarget[];
  logger: Logger;
  send?: typeof sendNotification;
  retryDelaysMs?: readonly number[];
}

/** An older event comes from a copied history. */
const MAX_AGE_MS = 10 * 60_000;

/** The types of events that anybody is told of, as they stand in the JSON: most events are not even parsed. */
const TYPES = ["ask.opened", "turn.ended", "session.detached"].map((type) => `"type":"${type}"`);

export class Notifier {
  /** Since the start, over all targets. */
  readonly counts = { delivered: 0, failed: 0, dropped: 0 };
  readonly #queues: readonly TargetQueue[];
  readonly #logger: Logger;
  /** Targets that did not take the last one. */
  readonly #failing = new Set<NotifyTarget>();
  readonly #engine: NotifierOptions["engine"];
  readonly #stop: () => void;

  constructor({ engine, targets, logger, send = sendNotification, retryDelaysMs }: NotifierOptions) {
    this.#logger = logger;
    this.#engine = engine;
    this.#queues = targets.map(
      (target) =>
        new TargetQueue({
          ...{ target, send, retryDelaysMs },
          onOutcome: (outcome) => this.#note(target, outcome),
        }),
    );
    this.#stop =
      targets.length === 0
        ? () => {}
        : engine.followAll((change, events) => "deleted" in change || this.#tell(change, events));
  }

  /** Over all targets. */
  get waiting(): number {
    return this.#queues.reduce((sum, { size }) => sum + size, 0);
  }

  /** Sends nothing more; what waits is not sent. */
  close(): void {
    this.#stop();
    for (const queue of this.#queues) queue.close();
  }

  #tell(summary: SessionSummary, events: readonly EncodedEvent[]): void {
    for (const encoded of events) {
      if (!isOfInterest(encoded)) continue;
      const event = eventOf(encoded);
      if (event.at < Date.now() - MAX_AGE_MS) continue;
      const title = this.#engine.agents().find(({ name }) => name === summary.agent)?.title;
      const notification = notificationOf(event, summary, title);
      if (!notification || notification.event === "test") continue;
      const { event: name } = notification;
      for (const queue of this.#queues) if (queue.target.events.has(name)) queue.add(notification);
    }
  }

  #note(target: NotifyTarget, outcome: SendOutcome | { state: "dropped" }): void {
    this.counts[outcome.state] += 1;
    if (outcome.state === "dropped") return;
    // The path may be a password.
    const { origin } = target.url;
    if (outcome.state === "delivered") {
      if (this.#failing.delete(target)) this.#logger.info({ target: origin }, "notifications arrive again");
      return;
    }
    // Once, not for each one that is lost.
    if (this.#failing.has(target)) return;
    this.#failing.add(target);
    this.#logger.warn({ target: origin, reason: outcome.reason }, "a notification could not be delivered");
  }
}

function isOfInterest({ event, json }: EncodedEvent): boolean {
  if (event)
    return event.type === "ask.opened" || event.type === "turn.ended" || event.type === "session.detached";
  return TYPES.some((type) => json.includes(type));
}
