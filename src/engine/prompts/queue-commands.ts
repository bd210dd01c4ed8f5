/** Commands on waiting prompts: list, change, move, send now, withdraw. */
import { InterlinguaError } from "../../core/error.ts";
import type { Principal } from "../../core/principal.ts";
import type { PromptPart } from "../../core/prompt-part.ts";
import type { Store } from "../../core/store.ts";
import type { PromptReceipt, QueueChecks, QueuedView } from "../../protocol/commands/command-types.ts";
import { invalidField, messageNotFound } from "../../protocol/refusals.ts";
import { assertMayPrompt } from "../asks/asking-checks.ts";
import type { SessionActor } from "../session/session-actor.ts";
import { assertCanStop } from "./queue-checks.ts";

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
  change: { parts: PromptPart[]; by: Principal },
): Promise<QueuedView> {
  await assertKnown(store, actor, message);
  const changed = await actor.prompts.change(message, change);
  const { contentSeq: _contentSeq, ...view } = changed;
  return { ...view, parts: await actor.log.contents.read(changed) };
}

export async function moveQueued(
  store: Store,
  actor: SessionActor,
  message: string,
  place: { before: string | null; by: string; checks?: QueueChecks },
): Promise<QueuedView> {
  const { before } = place;
  await assertKnown(store, actor, message);
  if (before === message)
    throw invalidField(
      "before",
      "must be another prompt",
      `A prompt cannot stand before itself: "${message}".`,
    );
  if (before !== null && !actor.state.queue.some((queued) => queued.message === before)) {
    const errors = [{ path: "before", message: "must be a prompt that waits" }];
    const remedy = "Read the queue again and give one that waits, or null for the end.";
    throw new InterlinguaError("message_not_queued", `Message "${before}" is not waiting. ${remedy}`, {
      errors,
    });
  }
  const moved = await actor.prompts.move(message, place);
  const { contentSeq: _contentSeq, ...view } = moved;
  return { ...view, parts: await actor.log.contents.read(moved) };
}

/** Into the running turn where the agent can take it, else it is the next one and the turn is stopped. */
export async function sendQueued(
  store: Store,
  actor: SessionActor,
  message: string,
  { by: principal, checks }: { by: Principal; checks?: QueueChecks },
): Promise<PromptReceipt> {
  await assertKnown(store, actor, message);
  assertMayPrompt(principal.access, actor);
  const by = principal.name;
  const steered = await actor.prompts.steer(message, by);
  if (steered) return steered;
  const { state } = actor;
  const { turn } = state;
  const isStopped = turn === undefined || turn.stoppingBy !== undefined;
  if (!isStopped) assertCanStop(checks);
  const first = state.queue[0]?.message;
  if (first !== message) await actor.prompts.move(message, { before: first ?? null, by, checks });
  actor.prompts.release(by, message);
  const seq = state.head;
  if (!isStopped) await actor.interrupt(by, turn.id);
  await actor.log.durable();
  return { message, state: "queued", seq };
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
