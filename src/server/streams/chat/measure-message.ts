/** What there is of a message now, for clients that have a part of it. */
import type { SessionEvent } from "../../../core/event.ts";
import type { Store } from "../../../core/store.ts";
import { createMessageEncoder } from "../../../dialects/ai-sdk/outbound.ts";
import { askOf, splitSegments } from "../../../dialects/ai-sdk/segments.ts";
import { eventsOf } from "../../message-history.ts";
import { Segment } from "../segment.ts";
import { ChatResponse } from "./chat-response.ts";
import { MessageSearch } from "./message-search.ts";
import { MessageTrack } from "./message-track.ts";
import type { WantedMessage } from "./tail-message.ts";

type MessageStore = Pick<Store, "getMessage" | "readEvents">;

const PAGE_EVENTS = 1000;
const PAGE_BYTES = 1024 * 1024;

/** How many segments of a message a client has that was shown these asks: all through the last of them. */
export async function segmentsShown(
  store: MessageStore,
  session: string,
  message: string,
  asks: ReadonlySet<string>,
): Promise<number> {
  const row = await store.getMessage(session, message);
  if (!row) return 0;
  const events: SessionEvent[] = await eventsOf(store, session, row);
  const encoder = createMessageEncoder();
  const segments = splitSegments(events.flatMap((event) => encoder.encode(event)));
  return 1 + segments.findLastIndex((segment) => asks.has(askOf(segment) ?? ""));
}

/** How many chunks a response has by now that begins after so many segments. */
export async function countChunks(
  store: Pick<Store, "readEvents">,
  { session, message, from, toolParts, facts }: WantedMessage,
  segments: number,
): Promise<number> {
  const search = new MessageSearch(message, facts);
  const ignore = () => {};
  const response = new ChatResponse(
    { segments, chunks: 0 },
    { write: ignore, writeText: ignore, end: ignore },
  );
  let track: MessageTrack | undefined;
  for (let after = from - 1; !response.isDone; ) {
    const { events } = await store.readEvents(session, after, PAGE_EVENTS, PAGE_BYTES);
    if (events.length === 0) break;
    const page = new Segment(events);
    after = page.last;
    search.look(page.events);
    if (search.found) {
      track ??= new MessageTrack(search.found.seq, { toolParts });
      response.take(track.take(page), page.first, page.last);
    }
  }
  if (search.found) response.level(search.found.message);
  return response.count;
}
