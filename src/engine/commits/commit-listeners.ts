/** Notifies of commits: batches of one session for its readers, and changes of any session for the feed. */
import type { EncodedEvent } from "../../core/encoded-event.ts";
import type { SessionSummary } from "../../core/session-summary.ts";

interface Listener {
  onEvents(events: readonly EncodedEvent[]): void;
  onDeleted?: () => void;
  onCutShort?: (head: number) => void;
}

type OnChange = (
  change: SessionSummary | { session: string; deleted: true },
  events: readonly EncodedEvent[],
) => void;

interface FeedListener {
  onChange: OnChange;
  onGap?: () => void;
}

const NONE: readonly EncodedEvent[] = [];

export class CommitListeners {
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #feed = new Set<FeedListener>();
  readonly #onFault: (error: unknown) => void;

  /** `onFault` is called if a listener throws; committing goes on. */
  constructor(onFault: (error: unknown) => void) {
    this.#onFault = onFault;
  }

  follow(
    session: string,
    onEvents: Listener["onEvents"],
    onDeleted?: () => void,
    onCutShort?: (head: number) => void,
  ): { stop(): void } {
    const listener: Listener = { onEvents, onDeleted, onCutShort };
    const listeners = this.#listeners.get(session) ?? new Set();
    this.#listeners.set(session, listeners.add(listener));
    return {
      stop: () => {
        listeners.delete(listener);
        if (listeners.size === 0 && this.#listeners.get(session) === listeners)
          this.#listeners.delete(session);
      },
    };
  }

  followAll(onChange: OnChange, onGap?: () => void): () => void {
    const listener: FeedListener = { onChange, onGap };
    this.#feed.add(listener);
    return () => this.#feed.delete(listener);
  }

  publish(session: string, events: readonly EncodedEvent[], summarize: () => SessionSummary): void {
    for (const listener of this.#listeners.get(session) ?? []) this.#tell(() => listener.onEvents(events));
    if (this.#feed.size === 0) return;
    const change = summarize();
    for (const { onChange } of this.#feed) this.#tell(() => onChange(change, events));
  }

  /** Something about a session changed that no event says. */
  changed(summarize: () => SessionSummary): void {
    if (this.#feed.size === 0) return;
    const change = summarize();
    for (const { onChange } of this.#feed) this.#tell(() => onChange(change, NONE));
  }

  /** The log has become shorter: it ends here. Before anything else is published of it. */
  cutShort(session: string, head: number): void {
    for (const listener of this.#listeners.get(session) ?? []) this.#tell(() => listener.onCutShort?.(head));
    for (const { onGap } of this.#feed) this.#tell(() => onGap?.());
  }

  deleted(session: string): void {
    const listeners = this.#listeners.get(session);
    this.#listeners.delete(session);
    for (const listener of listeners ?? []) this.#tell(() => listener.onDeleted?.());
    for (const { onChange } of this.#feed) this.#tell(() => onChange({ session, deleted: true }, NONE));
  }

  #tell(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.#onFault(error);
    }
  }
}
