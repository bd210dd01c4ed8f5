/** Loads a stored session: its state from the last snapshot and the events after it. */
import { eventOf } from "../../core/encoded-event.ts";
import { evolve } from "../../core/evolve.ts";
import { MessageIndex } from "../../core/message-index.ts";
import type { Owned } from "../../core/ownership.ts";
import { readLog } from "../../core/read-log.ts";
import { SessionMachine } from "../../core/session-machine.ts";
import { emptyState, parseState, type SessionState } from "../../core/session-state.ts";
import type { MessageRow, Store } from "../../core/store.ts";
import { sessionNotFound } from "../../protocol/refusals.ts";
import type { Services } from "../engine-services.ts";
import { PromptContents } from "../prompts/prompt-contents.ts";
import { Projector, type SizedEvent } from "./projector.ts";
import { SessionLog } from "./session-log.ts";

/** As the node that owns the session. */
export async function loadSession(
  id: string,
  services: Services,
  { claim, access }: Pick<Owned, "claim" | "access">,
): Promise<SessionLog> {
  const stored = await services.store.loadState(id);
  if (!stored) throw sessionNotFound(id);
  const { snapshot, row } = stored;
  const state = (snapshot && parseState(snapshot.json)) ?? emptyState(id);
  for await (const { event } of eventsAfter(services.store, id, state.head)) evolve(state, event);
  const contents = new PromptContents(id, services.store);
  const rows = await waitingRows(services.store, state);
  const projector = await Projector.create(state, contents, rows, streamingEvents(services.store, state));
  return new SessionLog({
    contents,
    machine: createMachine(state, services),
    projector,
    services,
    request: row.request,
    rawHead: row.rawHead,
    cost: row.cost,
    preparing: stored.preparing,
    claim,
    access,
  });
}

export function createMachine(state: SessionState, services: Services): SessionMachine {
  return new SessionMachine(state, { now: services.now, messageId: () => services.newId("msg") });
}

async function* eventsAfter(store: Store, session: string, after: number): AsyncIterable<SizedEvent> {
  for await (const page of readLog(store, session, after))
    for (const encoded of page) yield { event: eventOf(encoded), bytes: encoded.json.length };
}

/** The rows of prompts that wait, or were folded into the open turn and may still come back. */
async function waitingRows(store: Store, state: SessionState): Promise<MessageRow[]> {
  const prompts = [...state.queue, ...(state.turn?.steered ?? [])];
  const rows = await Promise.all(prompts.map(({ message }) => store.getMessage(state.id, message)));
  return rows.filter((row) => row !== undefined);
}

/** The events of the message that was streaming when the daemon died. */
async function* streamingEvents(store: Store, state: SessionState): AsyncIterable<SizedEvent> {
  const message = state.turn?.message;
  const row = message === undefined ? undefined : await store.getMessage(state.id, message);
  if (!row) return;
  const index = new MessageIndex();
  for await (const sized of eventsAfter(store, state.id, row.firstSeq - 1)) {
    if (index.messageOf(sized.event) === message) yield sized;
  }
}
