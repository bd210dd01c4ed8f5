/** Places in agents' own conversations: where the turns of a log end in them, and where a copy of one can begin. */
import type { ConversationPlace } from "../../core/adapter.ts";
import { eventOf } from "../../core/encoded-event.ts";
import type { SessionEvent } from "../../core/event.ts";
import type { NativePlace } from "../../core/fork-fields.ts";
import { readLog } from "../../core/read-log.ts";
import type { SessionState } from "../../core/session-state.ts";
import type { Services } from "../engine-services.ts";

type Reading = Pick<Services, "store" | "slices">;

/** All events that tell of places. Their type stands near the beginning. */
const RELEVANT =
  /"type":"(session\.(created|attached|updated)|turn\.ended|prompt\.received|conversation\.rewound)"/;
const TYPE_WITHIN = 400;

/**
 * Where the turn of a message ends in its agent's own conversation. A turn that was copied is looked for in the session it
 * was copied from. Undefined if it is not known, or not part of the conversation any more.
 */
export async function findNativePlace(
  services: Reading,
  session: string,
  message: string,
): Promise<NativePlace | undefined> {
  const row = await services.store.getMessage(session, message);
  if (row?.turn === undefined || row.rewoundAt !== undefined) return undefined;
  const reader = new PlaceReader(row.turn);
  let seq = 0;
  for await (const page of readLog(services.store, session, 0)) {
    for (const encoded of page)
      if (RELEVANT.test(encoded.json.slice(0, TYPE_WITHIN))) reader.add(eventOf(encoded));
    seq = page.at(-1)!.seq;
    await services.slices.pause();
  }
  if (reader.place) return { ...reader.place, session, message, seq };
  return reader.origin === undefined ? undefined : findNativePlace(services, reader.origin, message);
}

/** Reads one log for the end of one turn. */
class PlaceReader {
  readonly #turn: string;
  #agentSessionId: string | undefined;
  place: ConversationPlace | undefined;
  /** The session it began as a copy of. */
  origin: string | undefined;

  constructor(turn: string) {
    this.#turn = turn;
  }

  add(event: SessionEvent): void {
    switch (event.type) {
      case "session.created":
        this.origin = event.forkedFrom?.session;
        return;
      case "session.attached":
      case "session.updated":
        this.#agentSessionId = event.agentSessionId ?? this.#agentSessionId;
        return;
      case "turn.ended":
        if (event.turn === this.#turn && this.#agentSessionId !== undefined)
          this.place = { agentSessionId: this.#agentSessionId, after: event.native };
        return;
      case "prompt.received":
        if (this.place && event.turn !== this.#turn) this.place.before ??= event.native;
        return;
      case "conversation.rewound":
        // What came after is gone from the agent's conversation too.
        if (this.place) this.place.before = undefined;
    }
  }
}

/** Where the agent's next conversation begins as a copy. Undefined if it does not, or what it would copy was taken back. */
export async function findStartingPlace(
  { store }: Pick<Services, "store">,
  { agentMemory, continues }: SessionState,
): Promise<ConversationPlace | undefined> {
  if (agentMemory !== "none" || !continues) return undefined;
  const { agentSessionId, after, session, message, seq } = continues;
  const last = await store.getMessage(session, message);
  if (!last || last.rewoundAt !== undefined) return undefined;
  // The conversation may have gone on since.
  const before = continues.before ?? (await nextPrompt(store, session, seq));
  return { agentSessionId, after, before };
}

async function nextPrompt(
  store: Services["store"],
  session: string,
  after: number,
): Promise<string | undefined> {
  for await (const page of readLog(store, session, after))
    for (const event of page.map(eventOf)) if (event.type === "prompt.received") return event.native;
  return undefined;
}

/**
 * Where the conversation ends when a message of it and everything after it are taken back: at its beginning, at a place, or
 * nobody knows where.
 */
export async function findRewindPlace(
  services: Reading,
  session: string,
  before: string,
): Promise<"beginning" | NativePlace | undefined> {
  const first = await services.store.getMessage(session, before);
  const query = { limit: 1, before, withoutRecords: true };
  const [last] = (await services.store.listMessages(session, query)).messages;
  if (!last) return "beginning";
  // A prompt that was folded into a turn is somewhere in the middle of it.
  if (last.turn === first?.turn) return undefined;
  const place = await findNativePlace(services, session, last.id);
  return place?.after === undefined && place?.before === undefined ? undefined : place;
}
