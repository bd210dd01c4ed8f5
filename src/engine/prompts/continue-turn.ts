/**
 * Continues a turn that was cut off, where the session wants that. One prompt of the daemon is accepted in the commit that ends
 * the turn, so a kill in between can neither lose nor double it. It waits before all other prompts.
 */
import { DAEMON_NAME } from "../../core/built-in-names.ts";
import type { EventOf } from "../../core/event.ts";
import type { SessionMachine } from "../../core/session-machine.ts";
import type { OpenTurn } from "../../core/session-state.ts";

export interface CutOffTurn {
  /** As it was before it ended. */
  turn: OpenTurn;
  ended: EventOf<"turn.ended">;
  /** The daemon was not stopped: it may have died of this turn. */
  isDeath: boolean;
  /** A reason not to continue it here. */
  preventedBy?: string;
  /** The id of the new prompt. */
  message: string;
}

export function continueTurn(machine: SessionMachine, cutOff: CutOffTurn): void {
  const { state } = machine;
  const { turn, ended, isDeath, message } = cutOff;
  // A person who stopped the turn, or holds the queue, wants no work.
  if (turn.origin !== "user" || turn.stoppingBy !== undefined || state.queueHeld || state.closed) return;
  const reason = preventedBy(cutOff, state.agentSessionId);
  if (reason !== undefined) return notContinued(machine, reason);
  const [first] = state.queue;
  const parts = [{ type: "text" as const, text: continuationText(ended.error?.code) }];
  const { settings } = turn;
  machine.acceptPrompt(message, parts, "queue", {
    receipt: "queued",
    settings,
    by: DAEMON_NAME,
    continuesTurn: turn.id,
  });
  if (first) machine.emit({ type: "prompt.moved", message, before: first.message, by: DAEMON_NAME });
  if (isDeath && turn.continuesTurn !== undefined) hold(machine, message);
}

function preventedBy(
  { turn, ended, preventedBy: reason }: CutOffTurn,
  conversation?: string,
): string | undefined {
  if (reason !== undefined) return reason;
  if (ended.delivery === "unknown" || !turn.heard) return "The agent may not have received its prompt.";
  return conversation === undefined ? "The agent gave no id of its conversation." : undefined;
}

/** Says why a turn that was cut off stays so. */
export function notContinued(machine: SessionMachine, reason: string): void {
  const text = `The turn that was cut off is not continued. ${reason} Send a prompt to continue.`;
  machine.apply({ type: "notice", level: "warning", code: "not_continued", text });
}

const HELD_BECAUSE =
  "This turn was cut off twice in a row by the end of a daemon, so it may be the cause of that.";

function hold(machine: SessionMachine, message: string): void {
  machine.emit({ type: "prompt.held", message, held: true, reason: HELD_BECAUSE });
  const text = `The prompt that continues the turn is held. ${HELD_BECAUSE} Send it now to continue, or withdraw it.`;
  machine.apply({ type: "notice", level: "error", code: "prompt_held", text, data: { message } });
}

const REASONS: Readonly<Record<string, string>> = {
  node_lost: "The machine that you ran on was lost, and another one has taken over",
  node_draining: "The machine that you ran on was shut down",
};

function continuationText(code = ""): string {
  const reason = REASONS[code] ?? "The program that runs you was restarted";
  return `${reason}, so your last turn was cut off before it ended. What you had begun may be done, half done or not done. Check that first, and repeat nothing that is done. Then continue with what you were asked to do.`;
}
