/** Takes a prompt once: a message id that was used before gives the first answer again, unless the content differs. */
import { InterlinguaError } from "../../core/error.ts";
import type { EventOf, SessionEvent } from "../../core/event.ts";
import type { Principal } from "../../core/principal.ts";
import type { PromptPart } from "../../core/prompt-part.ts";
import { hasRight } from "../../core/rights.ts";
import type { MessageRow, Store } from "../../core/store.ts";
import type { PromptReceipt, QueueChecks, SendPrompt } from "../../protocol/commands/command-types.ts";
import { assertMayPrompt, commandIn } from "../asks/asking-checks.ts";
import type { Services } from "../engine-services.ts";
import { canonicalJson, requestDigest } from "../session/canonical-json.ts";
import type { SessionActor } from "../session/session-actor.ts";
import { assertEnvironment } from "../session/session-assertions.ts";
import type { SessionDirectory } from "../session/session-directory.ts";
import { settledWithin } from "../settled-within.ts";

/** The events that may begin a prompt's turn in the same commit. */
const EVENTS_OF_BEGINNING = 2;

/** `prompt.accepted`, its way past prompts that were held, and what may begin its turn. */
const EVENTS_OF_RECEIPT = 2 + EVENTS_OF_BEGINNING;

export async function acceptPrompt(
  services: Services,
  sessions: SessionDirectory,
  session: string,
  message: string,
  given: SendPrompt & { by: Principal; checks?: QueueChecks },
): Promise<PromptReceipt> {
  const prompt = { ...given, settings: someSettings(given.settings) };
  const actor = await sessions.get(session);
  using _prepared = await actor.prepareMask(prompt.parts);
  const first =
    prompt.id === undefined ? undefined : await firstReceipt(services.store, actor, message, prompt);
  if (first) return first;
  const { access } = prompt.by;
  assertMayPrompt(access, actor, prompt, true);
  await assertAgentPossible(services, sessions, actor, prompt);
  await services.assertParts(session, prompt.parts);
  const isWaiting = !hasRight(access, "session.bypass") && commandIn(actor, prompt.parts)?.isUnlisted;
  // The agent reports its mode when it starts: the user's own settings may let it act without asking.
  const isModeNeeded = !hasRight(access, "session.unasked") && isModeUnknown(actor);
  if (isWaiting || isModeNeeded) await actor.attach();
  if (isWaiting) await commandsListed(services, actor);
  return await actor.prompts.accept(message, prompt);
}

/** Throws where a prompt would be refused, before what it replaces is taken back. */
export async function assertPromptPossible(
  services: Services,
  sessions: SessionDirectory,
  session: string,
  prompt: SendPrompt & { by: Principal },
): Promise<void> {
  const actor = await sessions.get(session);
  await assertAgentPossible(services, sessions, actor, prompt);
  await services.assertParts(session, prompt.parts);
  actor.prompts.assertPossible(prompt);
}

/** Throws where no agent can be started for the session. */
export async function assertAgentPossible(
  services: Services,
  sessions: SessionDirectory,
  actor: SessionActor,
  { settings }: Pick<SendPrompt, "settings"> = {},
): Promise<void> {
  const { slots, limits, assertDirectory } = services;
  // First: what this node has at the path of files that are elsewhere, if anything, are other files.
  if (!actor.state.closed) await sessions.assertNothingMissing(actor);
  if (settings) await services.agents.get(actor.state.agent)?.settle?.({ settings });
  // The directory or the roots may have changed since the session was created. A running agent stays where it is.
  if (actor.needsAgent) await assertDirectory(actor.state.cwd, actor.state.id);
  if (actor.needsAgent && slots.isFull && !(await sessions.longestIdle())) {
    const detail = `${limits.maxLiveAgents} agents are at work. Wait for one, or raise limits.maxLiveAgents.`;
    throw new InterlinguaError("too_many_sessions", detail, { retryAfterSeconds: 10 });
  }
}

/** How long the list of commands may come after the agent has started. Until then any `/name` may be a command. */
const MAX_LIST_WAIT_MS = 5000;

/** Resolves when the agent has listed its commands, or when that takes too long. */
async function commandsListed({ listeners, limits }: Services, { state }: SessionActor): Promise<void> {
  let follower: { stop(): void } | undefined;
  const listed = new Promise<void>((resolve) => {
    const check = () => state.commands && resolve();
    follower = listeners.follow(state.id, check, resolve);
    check();
  });
  await settledWithin([listed], Math.min(MAX_LIST_WAIT_MS, limits.settingsTimeoutMs)).finally(() =>
    follower?.stop(),
  );
}

function isModeUnknown({ state, needsAgent }: SessionActor): boolean {
  return needsAgent && state.mode === undefined && state.permissionMode === undefined;
}

/** Empty settings are none. */
function someSettings(settings: SendPrompt["settings"]): SendPrompt["settings"] {
  return settings && Object.keys(settings).length > 0 ? settings : undefined;
}

/** Undefined for a message that is new. */
async function firstReceipt(
  store: Store,
  actor: SessionActor,
  message: string,
  { parts, settings }: SendPrompt,
): Promise<PromptReceipt | undefined> {
  await actor.prompts.accepted(message);
  const known = await store.getMessage(actor.state.id, message);
  // The id of a message that was taken back is free again: an edited or repeated message keeps it.
  if (!known || known.rewoundAt !== undefined) return undefined;
  if (known.role !== "user") throw messageExists(message);
  const page = await store.readEvents(actor.state.id, known.firstSeq - 1, EVENTS_OF_RECEIPT);
  const events = page.events.map(({ json }) => JSON.parse(json) as SessionEvent);
  const [accepted] = events;
  if (accepted?.type !== "prompt.accepted") throw messageExists(message);
  if (canonicalJson(someSettings(accepted.settings)) !== canonicalJson(settings))
    throw messageExists(message);
  if (!(await isSameContent(actor, accepted, parts)) && known.request !== (await requestDigest({ parts }))) {
    // Its content is masked in the log and cannot be compared without the values.
    if (actor.hasLostSecrets(accepted.parts)) assertEnvironment(actor.state, actor);
    throw messageExists(message);
  }
  return receiptOf(events, known);
}

/**
 * Secrets are masked in the log. Both sides are masked with today's secrets, which may differ from those of that time.
 */
async function isSameContent(
  actor: SessionActor,
  accepted: EventOf<"prompt.accepted">,
  parts: PromptPart[],
): Promise<boolean> {
  const stored = await requestDigest(actor.masked(accepted.parts));
  return stored === (await requestDigest(actor.masked(parts)));
}

/** The answer to the first request. Older logs lack it, but their rows have it. */
function receiptOf(events: readonly SessionEvent[], { response }: MessageRow): PromptReceipt {
  if (response !== undefined) return JSON.parse(response) as PromptReceipt;
  const [accepted, ...next] = events as [EventOf<"prompt.accepted">, ...SessionEvent[]];
  const { message, seq } = accepted;
  const beginning = next.filter((event) => event.type !== "prompt.moved" || event.message !== message);
  const dispatched = beginning
    .slice(0, EVENTS_OF_BEGINNING)
    .find((event) => event.type === "prompt.dispatched" && event.message === message);
  const state = accepted.receipt ?? (dispatched ? "started" : "queued");
  const turn = state === "queued" ? undefined : dispatched?.turn;
  return { message, state, turn, seq };
}

function messageExists(message: string): InterlinguaError {
  return new InterlinguaError(
    "message_exists",
    `Message "${message}" exists with other content. Choose another id.`,
  );
}
