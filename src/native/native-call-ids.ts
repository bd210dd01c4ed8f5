/** Tool calls under the agent's own ids, which the program that runs the agent knows them by. */
import type { SessionEvent } from "../core/event.ts";

export class NativeCallIds {
  readonly #names = new Map<string, string>();
  readonly #taken = new Set<string>();

  apply(events: readonly SessionEvent[]): SessionEvent[] {
    return events.map((event) => this.#rename(event));
  }

  #rename(event: SessionEvent): SessionEvent {
    // An agent may use an id twice; a message may not.
    if (event.type === "tool.start" && event.native !== undefined && !this.#taken.has(event.native)) {
      this.#names.set(event.call, event.native);
      this.#taken.add(event.native);
    }
    if (this.#names.size === 0) return event;
    const { call, calls, parent } = event as { call?: string; calls?: string[]; parent?: string };
    if (call === undefined && calls === undefined && parent === undefined) return event;
    return {
      ...event,
      ...(call !== undefined && { call: this.#nameOf(call) }),
      ...(calls !== undefined && { calls: calls.map((each) => this.#nameOf(each)) }),
      ...(parent !== undefined && { parent: this.#nameOf(parent) }),
    } as SessionEvent;
  }

  #nameOf(call: string): string {
    return this.#names.get(call) ?? call;
  }
}
