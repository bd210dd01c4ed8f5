/** The log of a session, from a cursor on and live: each event once, in order. */
import { type FollowOptions, follow } from "./follow.ts";
import type { HttpClient } from "./http.ts";
import type { EventWithRaw } from "./types.ts";

export interface EventsOptions extends FollowOptions {
  /** Begin after this seq; 0 is the beginning of the session. */
  readonly after?: number;
  /** `raw` puts what the agent really said beside each event that came from it, as `rawRecord`. */
  readonly include?: "raw";
}

/** Ends after `session.closed`, and when the signal is aborted. */
export async function* sessionEvents(
  http: HttpClient,
  session: string,
  options: EventsOptions = {},
): AsyncGenerator<EventWithRaw, void> {
  const { onState, include } = options;
  let { after = 0 } = options;
  /** Where the log ended when we connected. */
  let head = 0;
  let isClosed = false;
  const connection = {
    async open(signal: AbortSignal) {
      const params = { id: session };
      if (onState) head = (await http.call("GET /v1/sessions/{id}", { params }, signal)).head;
      const request = { params, query: { after, include } };
      const response = await http.open("GET /v1/sessions/{id}/events/sse", request, {
        accept: "text/event-stream",
        signal,
      });
      if (response.status === 204) return undefined;
      onState?.(after < head ? { state: "connected", behind: head - after } : { state: "live" });
      return response;
    },
    isOver: () => isClosed,
  };
  for await (const { data } of follow(http, connection, options)) {
    const event = JSON.parse(data) as EventWithRaw;
    // What was sent again after a reconnection is known.
    if (event.seq <= after) continue;
    after = event.seq;
    isClosed = event.type === "session.closed";
    yield event;
    if (event.seq === head) onState?.({ state: "live" });
  }
}
