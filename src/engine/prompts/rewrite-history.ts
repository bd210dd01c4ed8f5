/**
 * Edit and regenerate: a client's history differs from ours at one user message. What ours has of that message decides: one
 * that waits is changed, one in the history is taken back with everything after it and prompted again under its id, which
 * the client keeps. An unknown one is a prompt.
 */
import { eventOf } from "../../core/encoded-event.ts";
import { InterlinguaError } from "../../core/error.ts";
import type { Principal } from "../../core/principal.ts";
import type { PromptPart } from "../../core/prompt-part.ts";
import { readLog } from "../../core/read-log.ts";
import type { SettingValues } from "../../core/setting.ts";
import type { MessageRow, Store } from "../../core/store.ts";
import type { PromptReceipt, RegenerateTarget } from "../../protocol/commands/command-types.ts";
import { messageNotFound } from "../../protocol/refusals.ts";
import type { CommandParts } from "../commands/command-parts.ts";
import { assertPromptPossible } from "./accept-prompt.ts";

/** The session may go on between two tries. */
const MAX_TRIES = 10;

type Messages = Pick<Store, "getMessage" | "listMessages" | "readEvents">;

type RewriteParts = Pick<CommandParts, "run" | "assertReady" | "sessions" | "services">;

export interface Rewrite {
  session: string;
  message: string;
  parts: PromptPart[];
  /** Settings of the turn; those the message had if absent. */
  settings?: SettingValues;
  by: Principal;
}

/** Only one of these runs in a session at a time. */
export async function rewriteHistory(engine: RewriteParts, rewrite: Rewrite): Promise<PromptReceipt> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await tryRewrite(engine, rewrite);
    } catch (error) {
      if (!isOvertaken(error) || tries > MAX_TRIES) throw error;
    }
  }
}

async function tryRewrite(
  engine: RewriteParts,
  { session, message, parts, by, ...rewrite }: Rewrite,
): Promise<PromptReceipt> {
  const { run, assertReady, sessions, services } = engine;
  const { store } = services;
  const row = await store.getMessage(session, message);
  if (row && row.role !== "user") throw messageNotFound(message);
  if (row?.state === "queued") {
    await run("changeQueued", { session, message, parts }, by);
    return { message, state: "queued", seq: row.firstSeq };
  }
  const isInHistory = row?.position !== undefined && row.rewoundAt === undefined;
  const settings =
    rewrite.settings ?? (isInHistory ? (await contentOf(store, session, row)).settings : undefined);
  const prompt = { id: message, parts, settings, whenBusy: "queue" } as const;
  if (isInHistory) {
    // What is refused must not have cost the history.
    assertReady();
    await assertPromptPossible(services, sessions, session, { ...prompt, by });
    await rewindTo(engine, session, message, by);
  }
  return run("prompt", { session, ...prompt }, by);
}

/** The prompt to repeat: as the log has it, else as the client has it. */
export async function promptToRepeat(
  store: Messages,
  session: string,
  { prompt, answer }: RegenerateTarget,
): Promise<Pick<Rewrite, "message" | "parts" | "settings">> {
  const message = prompt?.id ?? (await promptOf(store, session, answer));
  const row = await store.getMessage(session, message);
  if (row?.role === "user") return { message, ...(await contentOf(store, session, row)) };
  if (prompt) return { message, parts: prompt.parts };
  throw messageNotFound(message);
}

async function promptOf(store: Messages, session: string, answer: string | undefined): Promise<string> {
  const row = answer === undefined ? undefined : await store.getMessage(session, answer);
  if (row?.role === "user") return row.id;
  const prompt = row ? await replyToOf(store, session, row) : await lastPrompt(store, session);
  if (prompt !== undefined) return prompt;
  throw new InterlinguaError("message_not_found", "There is no prompt in this session to answer again.");
}

async function lastPrompt(store: Messages, session: string): Promise<string | undefined> {
  const { messages } = await store.listMessages(session, { limit: 20, withoutRecords: true });
  return messages.findLast((row) => row.role === "user")?.id;
}

async function replyToOf(store: Messages, session: string, row: MessageRow): Promise<string | undefined> {
  const { events } = await store.readEvents(session, row.firstSeq - 1, 1);
  const started = events[0] && eventOf(events[0]);
  return started?.type === "message.started" ? started.replyTo : undefined;
}

async function contentOf(
  store: Messages,
  session: string,
  row: MessageRow,
): Promise<Pick<Rewrite, "parts" | "settings">> {
  let parts: PromptPart[] = [];
  let settings: SettingValues | undefined;
  for await (const page of readLog(store, session, row.firstSeq - 1, row.lastSeq)) {
    for (const event of page.map(eventOf)) {
      const isContent = event.type === "prompt.accepted" || event.type === "prompt.changed";
      if (!isContent || event.message !== row.id) continue;
      parts = event.parts;
      if (event.type === "prompt.accepted") settings = event.settings;
    }
  }
  return { parts, settings };
}

/** What runs or waits belongs to the history that goes, so it is stopped first. */
async function rewindTo(
  { run, sessions }: RewriteParts,
  session: string,
  message: string,
  by: Principal,
): Promise<void> {
  const { log } = await sessions.get(session);
  const turnEnd = log.nextTurnEnd();
  const queue = await run("listQueue", { session, maxBytes: 0 }, by);
  // The last one first: else the next one could begin as soon as the one before it is gone.
  for (const { message: waiting } of queue.toReversed())
    await run("withdrawQueued", { session, message: waiting }, by);
  const { interrupted } = await run("interrupt", { session }, by);
  if (interrupted) await turnEnd;
  // What another node has done meanwhile is nothing that the client wanted to take back.
  log.assertAlive();
  await run("rewind", { session, before: message }, by);
}

/** A prompt began between two commands. */
function isOvertaken(error: unknown): boolean {
  return (
    InterlinguaError.isInstance(error) &&
    (error.code === "session_busy" || error.code === "message_not_queued")
  );
}
