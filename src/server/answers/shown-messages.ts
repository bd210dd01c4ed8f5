/** Which messages of a conversation are shown: those that are not streaming. */
import { DAEMON } from "../../core/principal.ts";
import type { MessageRow, Store } from "../../core/store.ts";
import type { Engine } from "../../engine/engine.ts";
import { messageNotFound } from "../../protocol/refusals.ts";
import { ANSWER_BYTES } from "./answer-page.ts";

interface Sources {
  engine: Pick<Engine, "run">;
  store: Pick<Store, "getMessage" | "listMessages">;
}

/** One that streams is left out; one that waits for a person is shown with its open part. Throws for an unknown `before`. */
export async function shownMessages(
  sources: Sources,
  session: string,
  { limit, before }: { limit: number; before?: string },
): Promise<{ rows: MessageRow[]; hasMore: boolean }> {
  const { store } = sources;
  if (before !== undefined && !(await store.getMessage(session, before))) throw messageNotFound(before);
  const { messages, hasMore } = await store.listMessages(session, { limit, before, maxBytes: ANSWER_BYTES });
  const waits = messages.some((row) => row.state !== "done") && (await isTurnWaiting(sources, session));
  const rows = messages.filter((row) => row.state === "done" || waits);
  // A page without messages would have no cursor for the next one.
  if (rows.length === 0 && hasMore)
    return shownMessages(sources, session, { limit, before: messages[0]!.id });
  return { rows, hasMore };
}

/** Background work may ask, too, while the turn goes on. */
async function isTurnWaiting({ engine }: Sources, session: string): Promise<boolean> {
  const { asks } = await engine.run("listAsks", { session }, DAEMON);
  return asks.some(({ turn }) => turn !== undefined);
}
