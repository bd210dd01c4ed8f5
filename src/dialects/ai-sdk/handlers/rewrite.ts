/**
 * Edit and regenerate: the agent is taken back to before a user message, and prompted again under the same message
 * id, because the client keeps that. What runs or waits belongs to the history that goes, so it is stopped first.
 */
import { eventOf } from "../../../core/encoded-event.ts";
import { InterlinguaError } from "../../../core/error.ts";
import type { PromptPart } from "../../../core/prompt-part.ts";
import type { MessageRow, Store } from "../../../core/store.ts";
import type { Engine, PromptReceipt } from "../../../engine/engine.ts";
import { messageNotFound } from "../../../protocol/refusals.ts";
import type { Means } from "../../dialect.ts";
import type { ChatIntent } from "../inbound.ts";

const MAX_TURNS = 10;

export interface RewriteDependencies {
  engine: Pick<
    Engine,
    "prompt" | "rewind" | "interrupt" | "queue" | "changeQueued" | "withdrawQueued" | "follow"
  >;
  store: Pick<Store, "getMessage" | "listMessages">;
  history: Means["history"];
}

export async function rewrite(
  dependencies: RewriteDependencies,
  session: string,
  intent: Extract<ChatIntent, { type: "edit" | "regenerate" }>,
  by: string,
): Promise<PromptReceipt> {
  const { engine, store } = dependencies;
  const { id, parts } = await wantedPrompt(dependencies, session, intent);
  const row = await store.getMessage(session, id);
  const isInHistory = row?.position !== undefined && row.rewoundAt === undefined;
  if (row?.state === "queued") await engine.changeQueued(session, id, parts);
  if (isInHistory) await rewindTo(dependencies, session, id, by);
  if (row?.state === "queued") return { message: id, state: "queued", seq: row.firstSeq };
  return engine.prompt(session, { id, parts, whenBusy: "queue" });
}

/** The prompt to give again: as it is edited, as it is posted, or as it stands in the history. */
async function wantedPrompt(
  dependencies: RewriteDependencies,
  session: string,
  intent: Extract<ChatIntent, { type: "edit" | "regenerate" }>,
): Promise<{ id: string; parts: PromptPart[] }> {
  if (intent.type === "edit") return intent;
  const { store, history } = dependencies;
  const id = intent.prompt?.id ?? (await promptOf(dependencies, session, intent.answer));
  const row = await store.getMessage(session, id);
  if (row?.role === "user") return { id, parts: (await history.recordOf(session, row)).parts ?? [] };
  if (intent.prompt) return intent.prompt;
  throw messageNotFound(id);
}

async function promptOf(
  { store, history }: RewriteDependencies,
  session: string,
  answer: string | undefined,
): Promise<string> {
  const row = answer === undefined ? undefined : await store.getMessage(session, answer);
  if (row?.role === "user") return row.id;
  const prompt = row ? (await history.recordOf(session, row)).replyTo : await lastPrompt(store, session);
  if (prompt !== undefined) return prompt;
  throw new InterlinguaError("message_not_found", "There is no prompt in this chat to answer again.");
}

async function lastPrompt(store: RewriteDependencies["store"], session: string): Promise<string | undefined> {
  const { messages } = await store.listMessages(session, { limit: 20, withoutRecords: true });
  return messages.findLast((row: MessageRow) => row.role === "user")?.id;
}

async function rewindTo(
  { engine }: RewriteDependencies,
  session: string,
  message: string,
  by: string,
): Promise<void> {
  for (let turns = 0; ; turns += 1) {
    const end = nextTurnEnd(engine, session);
    try {
      for (const queued of await engine.queue(session, 0))
        await engine.withdrawQueued(session, queued.message);
      if (await engine.interrupt(session, by)) await end.promise;
      await engine.rewind(session, message);
      return;
    } catch (error) {
      // The next prompt may have begun between two of these commands.
      if (!isOvertaken(error) || turns === MAX_TURNS) throw error;
    } finally {
      end.stop();
    }
  }
}

function nextTurnEnd(
  engine: Pick<Engine, "follow">,
  session: string,
): { promise: Promise<void>; stop(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  const follower = engine.follow(
    session,
    (events) => {
      if (events.some((encoded) => eventOf(encoded).type === "turn.ended")) resolve();
    },
    resolve,
  );
  return { promise, stop: () => follower.stop() };
}

function isOvertaken(error: unknown): boolean {
  return (
    InterlinguaError.isInstance(error) &&
    (error.code === "session_busy" || error.code === "message_not_queued")
  );
}
