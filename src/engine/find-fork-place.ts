/** Where the agent of a copied session can go on from: a place in its own conversation of the other session. */
import type { ConversationPlace } from "../core/adapter.ts";
import { eventOf } from "../core/encoded-event.ts";
import { readLog } from "../core/read-log.ts";
import type { SessionState } from "../core/session-state.ts";
import type { Store } from "../core/store.ts";

/** Undefined if there is none, or if the other session took back what this one has. */
export async function findForkPlace(
  store: Pick<Store, "getMessage" | "readEvents">,
  { agentMemory, forkedFrom, continues }: SessionState,
): Promise<ConversationPlace | undefined> {
  if (agentMemory !== "none" || !forkedFrom || !continues) return undefined;
  const { agentSessionId, after, message, seq } = continues;
  const last = await store.getMessage(forkedFrom.session, message);
  if (!last || last.rewoundAt !== undefined) return undefined;
  // The other session may have gone on since.
  const before = continues.before ?? (await nextPrompt(store, forkedFrom.session, seq));
  return { agentSessionId, after, before };
}

async function nextPrompt(
  store: Pick<Store, "readEvents">,
  session: string,
  after: number,
): Promise<string | undefined> {
  for await (const page of readLog(store, session, after))
    for (const event of page.map(eventOf)) if (event.type === "prompt.received") return event.native;
  return undefined;
}
