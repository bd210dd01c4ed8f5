/** What a dead daemon left open in a session is closed, or finished; then it goes on with what waits. */
import type { EventOf } from "../../core/event.ts";
import { EVENTS_LOST } from "../../core/events-lost.ts";
import type { SessionMachine } from "../../core/session-machine.ts";
import type { SessionState } from "../../core/session-state.ts";
import { waitingFor } from "../../core/waiting-for.ts";
import type { SettingsChanges } from "../agent/settings-changes.ts";
import type { Services } from "../engine-services.ts";
import { carryOutRestore } from "../files/carry-out-restore.ts";
import type { SessionCheckpoints } from "../files/session-checkpoints.ts";
import { hasWorkedBeside, timeOf } from "../files/worked-beside.ts";
import { countDeaths, MAX_PREPARATION_DEATHS } from "../prompts/prompt-preparation.ts";
import type { SessionLog } from "./session-log.ts";
import type { SessionSteps } from "./session-steps.ts";

export interface RecoverSessionOptions {
  log: SessionLog;
  settings: Pick<SettingsChanges, "keepRequested">;
  checkpoints: SessionCheckpoints;
  steps: Pick<SessionSteps, "wake" | "retryAlone">;
  services: Services;
  /** The node that had the session and is dead; absent where it was this one. */
  lostNode?: string;
  /** How many events are missing that were acknowledged. */
  lostEvents?: number;
}

export function recoverSession(options: RecoverSessionOptions): void {
  const { log, settings, checkpoints, steps, services, lostNode, lostEvents = 0 } = options;
  const { state, access } = log;
  const cut = state.turn && { ...state.turn };
  const { head } = state;
  const suspect = findSuspect(options);
  const isUnfinished = state.turn ?? state.restore ?? state.queue[0];
  const code = lostNode === undefined ? "daemon_restarted" : "node_lost";
  log.act(
    (machine) => {
      if (lostEvents > 0) machine.emit(eventsLostNotice(state, lostEvents));
      if (state.turn) {
        const delivery = state.turn.heard || state.turn.unconfirmed.length === 0 ? "known" : "unknown";
        const had =
          delivery === "known" ? "had received the prompt" : "may or may not have received the prompt";
        const event = lostNode === undefined ? "The daemon was restarted" : `The node "${lostNode}" was lost`;
        const message = `${event} during this turn; the agent ${had}. Nothing was sent again.`;
        machine.endTurn("interrupted", { code, message }, delivery);
      }
      if (state.attached) machine.detach("crash");
      if (suspect && suspect.deaths >= MAX_PREPARATION_DEATHS) holdSuspect(machine, suspect);
      if (!isUnfinished || state.closed) return;
      if (access.missing === "files") machine.apply(waitingForFiles(access.node));
      else if (access.missing === "agent") machine.apply(waitingForAgent(state.agent));
    },
    { code, preventedBy: reasonNotToContinue(options) },
  );
  settings.keepRequested();
  if (suspect && suspect.deaths < MAX_PREPARATION_DEATHS) steps.retryAlone(suspect.message, suspect.deaths);
  // The node that has the files does the rest.
  if (access.missing === "files") return;
  const { directories } = services;
  if (!state.restore && directories?.isShared(state.cwd)) void directories.forget(state.id).catch(() => {});
  if (state.restore) void finishRestore(options, state.restore);
  else if (cut?.before !== undefined && checkpoints.workspace)
    checkpoints.recordLate(cut, async () => {
      // Only then it is known what sessions beside it did that were cut off, too.
      await services.inRestore.released(state.cwd);
      const { store } = services;
      return {
        knownUntil: await timeOf(store, state.id, head),
        hasOthers: await hasWorkedBeside(store, state, cut.startedAt),
      };
    });
  if (cut) services.turns.note(state, cut, services.now());
  steps.wake();
}

/** A reason why the turn that was cut off cannot be continued here. */
function reasonNotToContinue({ log, services, lostNode, lostEvents = 0 }: RecoverSessionOptions) {
  const { state, access } = log;
  if (lostEvents > 0) return "The database has lost some of its events.";
  if (access.missing === "agent") return `No node has the agent "${state.agent}".`;
  const isElsewhere = lostNode !== undefined && access.is === "full";
  if (isElsewhere && services.gitFiles?.travels(state.cwd))
    return `What it did to the files stayed in the clone of the node "${lostNode}".`;
  return undefined;
}

interface Suspect {
  readonly message: string;
  /** How many daemons in a row have died while they prepared it. */
  readonly deaths: number;
}

/** The waiting prompt that a dead daemon was preparing. What is stored of it stays for the node that goes on with it. */
function findSuspect({ log, services, lostNode }: RecoverSessionOptions): Suspect | undefined {
  const { storedPreparing: preparing, claim, state, access } = log;
  if (!preparing || access.is === "log") return undefined;
  const { message } = preparing;
  const deaths = countDeaths({ preparing, claim }, services.identity, lostNode);
  const isWaiting = state.queue.some((queued) => queued.message === message && !queued.held);
  return isWaiting && deaths > 0 ? { message, deaths } : undefined;
}

const HELD_BECAUSE = "Two daemons in a row died while they prepared this prompt, before the agent got it.";

function holdSuspect(machine: SessionMachine, { message }: Suspect): void {
  machine.emit({ type: "prompt.held", message, held: true, reason: HELD_BECAUSE });
  const text = `The prompt "${message}" is held. ${HELD_BECAUSE} Send it now to try it again, or withdraw it.`;
  machine.apply({ type: "notice", level: "error", code: "prompt_held", text, data: { message } });
}

/** Files were being restored: the rest is done now. Prompts wait. */
async function finishRestore(
  { log, checkpoints, steps, services }: RecoverSessionOptions,
  restore: EventOf<"restore.started">,
): Promise<void> {
  const { workspace, inRestore, logger } = services;
  const { id, cwd } = log.state;
  // That of an actor that was given up may still be writing files.
  const earlier = inRestore.endedFor(id);
  const release = inRestore.hold(cwd, id);
  let leave: (() => Promise<void>) | undefined;
  try {
    await earlier;
    // Where that fails, what the dead node has announced still holds.
    leave = await services.directories
      ?.announce({ session: id, directory: cwd, kind: "restore" })
      .catch(() => undefined);
    if (log.hasEnded) return;
    if (workspace) await carryOutRestore(log, checkpoints, workspace, restore);
    else log.act((machine) => machine.emit(unfinished(restore)));
  } catch (error) {
    logger.error({ err: error, session: id }, "a restore of files could not be finished");
  } finally {
    await leave?.();
    release();
    steps.wake();
  }
}

/** Said once: the next node with log-only access finds the session settled. */
function waitingForFiles(node: string) {
  const text = `The files of this session are at the node "${node}", which is gone or going away. What waits here runs when that node is back.`;
  return { type: "notice", level: "warning", code: "files", text, data: waitingFor("node", node) } as const;
}

/** Said once, too. */
function waitingForAgent(agent: string) {
  const text = `No node has the agent "${agent}". What waits here runs when one is started whose config has it.`;
  return { type: "notice", level: "warning", code: "agent", text, data: waitingFor("agent", agent) } as const;
}

/** First in the log, right after what is left of it. */
function eventsLostNotice({ head, lineage = 0 }: SessionState, lost: number) {
  const text = `The database has lost ${lost === 1 ? "an event" : `${lost} events`} of this session that had been acknowledged, as after a failover to a standby that was behind. The log goes on after event ${head}.`;
  const data = { after: head, lost, lineage: lineage + 1 };
  return { type: "notice", level: "error", code: EVENTS_LOST, text, data } as const;
}

/** Checkpoints have been switched off since. */
function unfinished({ checkpoint }: EventOf<"restore.started">) {
  const error = "Checkpoints are switched off, so it was not finished. Switch them on and restore again.";
  return { type: "checkpoint.restored", checkpoint, error } as const;
}
