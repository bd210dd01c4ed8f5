/** Tells the targets of the config what happens in all sessions. Nothing waits for it, and nothing fails with it. */
import type { Logger } from "pino";
import { type EncodedEvent, eventOf } from "../../core/encoded-event.ts";
import type { SessionEvent } from "../../core/event.ts";
import type { NotifyTarget } from "../../core/notify-target.ts";
import { DAEMON } from "../../core/principal.ts";
import type { SessionSummary } from "../../core/session-summary.ts";
import type { Engine } from "../../engine/engine.ts";
import { notificationOf } from "./notification.ts";
import { type SendOutcome, sendNotification } from "./send-notification.ts";
import { type NotificationOutcome, TargetQueue } from "./target-queue.ts";

export interface NotifierOptions {
  engine: Pick<Engine, "followAll" | "run">;
  targets: readonly NotifyTarget[];
  logger: Logger;
}

/** All other events, and most events are others, are passed over by their type without being parsed. */
const TYPES: ReadonlySet<SessionEvent["type"]> = new Set([
  ...(["ask.opened", "ask.answered", "ask.closed"] as const),
  ...(["turn.ended", "session.detached"] as const),
]);
const TYPES_IN_JSON = [...TYPES].map((type) => `"type":"${type}"`);

export class Notifier {
  /** Since the start, over all targets. */
  readonly counts: Record<NotificationOutcome, number> = { delivered: 0, failed: 0, dropped: 0, settled: 0 };
  readonly #queues: readonly TargetQueue[];
  readonly #logger: Logger;
  /** Targets that did not take the last one. */
  readonly #failing = new Set<NotifyTarget>();
  /** Of the agents, by their names. */
  readonly #titles = new Map<string, string>();
  readonly #stop: () => void;

  constructor({ engine, targets, logger }: NotifierOptions) {
    this.#logger = logger;
    this.#queues = targets.map(
      (target) =>
        new TargetQueue({
          ...{ target, send: sendNotification },
          onOutcome: (outcome) => {
            this.counts[outcome] += 1;
          },
          onAttempt: (outcome) => this.#note(target, outcome),
        }),
    );
    if (targets.length > 0)
      void this.#readTitles(engine).catch((error) =>
        logger.warn({ err: error }, "notifications name agents without their titles"),
      );
    this.#stop =
      targets.length === 0
        ? () => {}
        : engine.followAll((change, events) => {
            if (!("deleted" in change)) this.#tell(change, events);
            else for (const queue of this.#queues) queue.settleSession(change.session);
          });
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
    // The first commit of a fork is the history that it copied.
    if (summary.forkedFrom && events[0]?.seq === 1) return;
    for (const encoded of events) {
      if (!isOfInterest(encoded)) continue;
      const event = eventOf(encoded);
      if (event.type === "ask.answered" || event.type === "ask.closed") {
        for (const queue of this.#queues) queue.settleAsk(event.session, event.ask);
        continue;
      }
      const title = this.#titles.get(summary.agent);
      const notification = notificationOf(event, summary, title);
      if (!notification || notification.event === "test") continue;
      const { event: name } = notification;
      for (const queue of this.#queues) if (queue.target.events.has(name)) queue.add(notification);
    }
  }

  async #readTitles(engine: NotifierOptions["engine"]): Promise<void> {
    for (const { name, title } of await engine.run("listAgents", {}, DAEMON)) this.#titles.set(name, title);
  }

  #note(target: NotifyTarget, outcome: SendOutcome): void {
    // The path may be a password.
    const { origin } = target.url;
    if (outcome.state === "delivered") {
      if (this.#failing.delete(target)) this.#logger.info({ target: origin }, "notifications arrive again");
      return;
    }
    // Once, not for each attempt that fails.
    if (this.#failing.has(target)) return;
    this.#failing.add(target);
    this.#logger.warn({ target: origin, reason: outcome.reason }, "a notification could not be delivered");
  }
}

function isOfInterest({ event, json }: EncodedEvent): boolean {
  return event ? TYPES.has(event.type) : TYPES_IN_JSON.some((type) => json.includes(type));
}
