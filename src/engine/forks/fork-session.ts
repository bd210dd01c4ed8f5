/** Copies the conversation of a session into a new one: in slices, and then in one commit. */
import { EventCopier } from "../../core/copy-events.ts";
import type { Draft } from "../../core/draft.ts";
import { eventOf } from "../../core/encoded-event.ts";
import { InterlinguaError } from "../../core/error.ts";
import { KeptEvents } from "../../core/kept-events.ts";
import type { Principal } from "../../core/principal.ts";
import { readLog } from "../../core/read-log.ts";
import { emptyState, type SessionState } from "../../core/session-state.ts";
import type { Store } from "../../core/store.ts";
import type { ForkSession } from "../../protocol/commands/command-types.ts";
import { sessionNotFound } from "../../protocol/refusals.ts";
import type { Services } from "../engine-services.ts";
import { findNativePlace } from "../memory/native-place.ts";
import { PromptContents } from "../prompts/prompt-contents.ts";
import { requestDigest } from "../session/canonical-json.ts";
import { createMachine } from "../session/load-session.ts";
import { Projector } from "../session/projector.ts";
import type { SessionActor } from "../session/session-actor.ts";
import type { SessionDirectory } from "../session/session-directory.ts";
import { SessionLog } from "../session/session-log.ts";
import { assertMayFork } from "./assert-may-fork.ts";

const PAGE_MESSAGES = 500;

export interface ForkOptions extends Pick<ForkSession, "before"> {
  id: string;
  by: Principal;
  /** The directory that whoever makes it chose. */
  cwd?: string;
  /** Where the new session works, and what its log says of that; where the other does when absent. Not asked if it is refused. */
  findPlace?(): Promise<ForkPlace>;
}

export interface ForkPlace {
  directory: string;
  notice?: Draft;
  /** It has the files that the other session has now: what went back there went back here. */
  hasFilesOfNow?: boolean;
}

/**
 * The actor of the new session once it is committed. A turn that runs is left out, and with `before` so is the whole turn of
 * that message and all after it. Throws `message_not_found` and `fork_too_large`.
 */
export async function forkSession(
  services: Services,
  sessions: SessionDirectory,
  origin: SessionActor,
  { id, before, by, cwd: wanted, findPlace }: ForkOptions,
): Promise<SessionActor> {
  assertMayFork(origin, by, wanted);
  await origin.log.durable();
  const { id: session, head, turn: running, restoredFiles } = origin.state;
  const { turns, lastMessage } = await keptTurns(services.store, session, before, running?.id);
  const continues =
    lastMessage === undefined ? undefined : await findNativePlace(services, session, lastMessage);
  const place = (await findPlace?.()) ?? { directory: origin.state.cwd };
  const { directory: cwd, notice, hasFilesOfNow = cwd === origin.state.cwd } = place;
  const environment = sessions.environmentOf(session);
  const log = await newLog(id, services, { fork: session, before, cwd });
  const forkedFrom = { session, message: before };
  // The origin may have changed while its messages were read and files were copied.
  assertMayFork(origin, by, wanted);
  log.actOnCopies((machine) => machine.create({ ...settingsOf(origin.state), cwd, forkedFrom, by: by.name }));
  const copier = new EventCopier();
  await copyLog(services, { session, head, turns, log, copier });
  log.act((machine) => {
    copier.finish(machine, continues);
    if (restoredFiles && hasFilesOfNow)
      machine.emit({
        type: "session.updated",
        restoredFiles: { ...restoredFiles, paths: [...restoredFiles.paths] },
      });
    if (notice) machine.apply(notice);
  });
  const actor = sessions.add(log, environment, session);
  // In the same commit, so that neither knows of the other alone.
  origin.log.act((machine) => machine.emit({ type: "session.forked", fork: id, before, by: by.name }));
  await log.durable();
  actor.checkpoints.begin();
  return actor;
}

function settingsOf(state: SessionState) {
  const { agent, title, model, chosen, chosenModes } = state;
  // A mode that only the agent reported may have come from one answer of a person. The copy begins as the agent comes.
  const mode = chosenModes?.mode && state.mode;
  const permissionMode = chosenModes?.permissionMode && state.permissionMode;
  const { mcpServers, options, env, install, checkpoints, onLost } = state;
  return {
    agent,
    title,
    model,
    mode,
    permissionMode,
    chosen,
    mcpServers,
    options,
    env,
    install,
    checkpoints,
    onLost,
  };
}

interface CopyOptions {
  session: string;
  head: number;
  turns: ReadonlySet<string>;
  log: SessionLog;
  copier: EventCopier;
}

/** Nothing of it is committed yet. */
async function copyLog(
  { store, slices, limits }: Services,
  { session, head, turns, log, copier }: CopyOptions,
): Promise<void> {
  const kept = new KeptEvents(turns);
  let read = 0;
  for await (const page of readLog(store, session, 0, head)) {
    for (const encoded of page) {
      kept.add(eventOf(encoded), encoded.json.length);
      if (kept.length > limits.maxForkBytes) throw tooLarge(limits.maxForkBytes);
      read = encoded.seq;
      const events = kept.take();
      if (events.length > 0) log.actOnCopies((machine) => copier.copy(machine, events));
      const pause = slices.pause();
      if (pause) await pause;
    }
  }
  // It was deleted meanwhile.
  if (read < head) throw sessionNotFound(session);
}

async function newLog(id: string, services: Services, request: object): Promise<SessionLog> {
  const state = emptyState(id);
  const contents = new PromptContents(id, services.store);
  return new SessionLog({
    machine: createMachine(state, services),
    contents,
    projector: new Projector(state, contents),
    services,
    request: await requestDigest(request),
    rawHead: 0,
  });
}

/** Which turns a copy has, and the last message of them. */
async function keptTurns(
  store: Store,
  session: string,
  before: string | undefined,
  running: string | undefined,
): Promise<{ turns: Set<string>; lastMessage?: string }> {
  const first = before === undefined ? undefined : await store.getMessage(session, before);
  const isInHistory = first?.role === "user" && first.position !== undefined && first.rewoundAt === undefined;
  if (before !== undefined && !isInHistory) {
    const detail = `There is no user message "${before}" in the history to copy up to.`;
    throw new InterlinguaError("message_not_found", detail);
  }
  const turns = new Set<string>();
  let lastMessage: string | undefined;
  let cursor = before;
  for (;;) {
    const query = { limit: PAGE_MESSAGES, before: cursor, withoutRecords: true };
    const { messages, hasMore } = await store.listMessages(session, query);
    for (const { id, turn } of messages.toReversed()) {
      if (turn === undefined || turn === first?.turn || turn === running) continue;
      turns.add(turn);
      lastMessage ??= id;
    }
    cursor = messages[0]?.id;
    if (!hasMore || cursor === undefined) return { turns, lastMessage };
  }
}

function tooLarge(limit: number): InterlinguaError {
  const size = `${Math.floor(limit / (1024 * 1024))} MB`;
  const detail = `More than ${size} would have to be copied. Fork before an earlier message.`;
  return new InterlinguaError("fork_too_large", detail);
}
