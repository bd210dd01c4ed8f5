/** Commands on waiting prompts: list, change, withdraw. */
import type { PromptPart } from "../core/prompt-part.ts";
import type { Store } from "../core/store.ts";
import { messageNotFound } from "../protocol/refusals.ts";
import type { QueuedView } from "./engine.ts";
import type { SessionActor } from "./session-actor.ts";

/** The prompts after `after`, or all. Uncommitted ones are not shown. */
export async function queuedViews(
  { log, state }: SessionActor,
  maxBytes: number,
  after?: string,
): Promise<QueuedView[]> {
  const views: QueuedView[] = [];
  let bytes = 0;
  const committed = log.committedHead;
  const known = state.queue.filter(({ seq }) => seq <= committed);
  const waiting = known
    .slice(1 + known.findIndex(({ message }) => message === after))
    .map((prompt) => ({ prompt, now: { ...prompt } }));
  for (const { prompt, now } of waiting) {
    const { contentSeq, ...view } = now;
    const isShown = contentSeq <= committed && maxBytes > 0 && (bytes === 0 || bytes + now.bytes <= maxBytes);
    const parts = isShown ? await log.contents.read(now) : [];
    if (isShown) bytes += now.bytes;
    views.push({ ...view, parts: prompt.contentSeq === contentSeq ? parts : [] });
  }
  return views;
}

export async function changeQueued(
  store: Store,
  actor: SessionActor,
  message: string,
  change: { parts: PromptPart[]; by: string },
): Promise<QueuedView> {
  await assertKnown(store, actor, message);
  const changed = await actor.prompts.change(message, change);
  const { contentSeq: _contentSeq, ...view } = changed;
  return { ...view, parts: await actor.log.contents.read(changed) };
}

export async function withdrawQueued(
  store: Store,
  actor: SessionActor,
  message: string,
  by: string,
): Promise<void> {
  await assertKnown(store, actor, message);
  await actor.prompts.withdraw(message, by);
}

/** Throws `message_not_found` for a message the session never had. */
async function assertKnown(store: Store, { state }: SessionActor, message: string): Promise<void> {
  const isWaiting = state.queue.some((queued) => queued.message === message);
  if (isWaiting || (await store.getMessage(state.id, message))) return;
  throw messageNotFound(message);
}
