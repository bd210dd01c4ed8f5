/** Waits for what happens in a session, over the events of `/v1`. */
import type { EventOf, SessionEvent } from "../../src/core/event.ts";
import { type DaemonClient, dataLines } from "../daemon-client.ts";

/** Waits for events of a session, each given once. */
export class EventFeed {
  readonly #reading = new AbortController();
  readonly #waiting = new Map<string, ((event: never) => void)[]>();
  readonly #seen = new Map<string, SessionEvent[]>();

  constructor(client: DaemonClient, session: string) {
    const path = `/v1/sessions/${session}/events/sse`;
    void client
      .request("GET", path, undefined, this.#reading.signal)
      .then(async (response) => {
        for await (const line of dataLines(response)) this.#add(JSON.parse(line) as SessionEvent);
      })
      .catch(() => {});
  }

  next<Type extends SessionEvent["type"]>(type: Type): Promise<EventOf<Type>> {
    const seen = this.#seen.get(type)?.shift();
    if (seen) return Promise.resolve(seen as EventOf<Type>);
    return new Promise((resolve) => {
      this.#waiting.set(type, [...(this.#waiting.get(type) ?? []), resolve as (event: never) => void]);
    });
  }

  /** Those that nobody has waited for. */
  take<Type extends SessionEvent["type"]>(type: Type): EventOf<Type>[] {
    return (this.#seen.get(type)?.splice(0) ?? []) as EventOf<Type>[];
  }

  close(): void {
    this.#reading.abort();
  }

  #add(event: SessionEvent): void {
    const waiting = this.#waiting.get(event.type)?.shift();
    if (waiting) waiting(event as never);
    else this.#seen.set(event.type, [...(this.#seen.get(event.type) ?? []), event]);
  }
}
