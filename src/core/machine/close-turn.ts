/** Everything ends: closing an ask, and closing a turn with whatever is open in it. */
import { type AskOutcome, isRejection } from "../ask.ts";
import type { EventOf, TurnError, TurnOutcome } from "../event.ts";
import { isCutOff } from "../is-cut-off.ts";
import { plainText } from "../plain-text.ts";
import type { SessionMachine } from "../session-machine.ts";
import type { KnownCall } from "../session-state.ts";
import { turnTime } from "../turn-time.ts";
import { closeParts, closeStep, partContext, takeUpSteered } from "./open-content.ts";

export function closeAsk(machine: SessionMachine, ask: string, wanted: AskOutcome, delivered: boolean): void {
  const open = machine.state.asks.get(ask);
  if (!open) return;
  const { opened, answered } = open;
  const outcome = outcomeOf(answered, wanted);
  machine.emit({ type: "ask.closed", ...askContext(opened), ask, outcome, delivered });
  if (delivered && outcome === "answered") showEditedInput(machine, opened, answered!);
  // A refusal that did not arrive has stopped nothing: another answer may have won at the agent.
  const declined = delivered && (outcome === "expired" || isRejection(answered?.effect));
  if (!declined || opened.call === undefined) return;
  const call = machine.state.calls.get(opened.call);
  if (!call || call.settled) return;
  const reason = outcome === "expired" ? "nobody answered in time" : answered?.message;
  machine.emit({ type: "tool.denied", ...partContext(machine, call), call: opened.call, reason });
}

/** What runs now is what the person made of it. */
function showEditedInput(
  machine: SessionMachine,
  { call: id, editable }: EventOf<"ask.opened">,
  { input, effect, by }: EventOf<"ask.answered">,
): void {
  const call = id === undefined ? undefined : machine.state.calls.get(id);
  if (!editable || input === undefined || isRejection(effect) || !call || call.settled) return;
  machine.emit({ type: "tool.input", ...partContext(machine, call), call: id!, input, by });
}

/** An answer in the log decides, whoever gave it. */
function outcomeOf(answered: EventOf<"ask.answered"> | undefined, wanted: AskOutcome): AskOutcome {
  if (answered) return answered.expired ? "expired" : "answered";
  return wanted === "answered" ? "cancelled" : wanted;
}

/** The context of an ask. */
export function askContext({ turn, message, parent, task }: EventOf<"ask.opened">) {
  return { turn, message, parent, task };
}

/** A call that is settled or retracted needs no answer any more. */
export function closeAsksAbout(machine: SessionMachine, call: string): void {
  for (const [ask, { opened, answered }] of [...machine.state.asks]) {
    if (opened.call === call) closeAsk(machine, ask, "cancelled", answered !== undefined);
  }
}

/** Closing an ask may have settled its call. */
export function isSettled(call: KnownCall): boolean {
  return call.settled !== undefined;
}

export function closeTurn(
  machine: SessionMachine,
  outcome: TurnOutcome,
  error?: TurnError,
  { delivery, native }: Pick<EventOf<"turn.ended">, "delivery" | "native"> = {},
): void {
  const { state } = machine;
  if (!state.turn) return;
  // What closes it comes when the daemon is back, or another has taken over.
  const end = isCutOff(error?.code) ? state.turn.lastAt : undefined;
  const time = turnTime(state.turn, end ?? machine.now());
  for (const [ask, open] of [...state.asks]) {
    if (open.opened.turn === undefined) continue;
    closeAsk(machine, ask, "cancelled", false);
  }
  closeParts(machine);
  const stopped = state.turn.stoppingBy !== undefined;
  const reason = stopped
    ? "the turn was stopped"
    : error?.code === "agent_exited" || error?.code === "agent_disconnected"
      ? "the agent is gone"
      : "the turn ended without its result";
  for (const [call, known] of [...state.calls]) {
    if (!known.inTurn || known.settled) continue;
    closeAsksAbout(machine, call);
    if (isSettled(known)) continue;
    machine.emit({
      type: "tool.abandoned",
      ...partContext(machine, known),
      call,
      reason,
    });
  }
  takeUpSteered(machine);
  closeStep(machine);
  const { turn } = state;
  machine.steeringTaken = undefined;
  machine.emit({
    type: "turn.ended",
    turn: turn.id,
    message: turn.message,
    // A person stopped the turn, whatever the agent reports.
    outcome: stopped ? "interrupted" : outcome,
    error: error && { ...error, code: plainText(error.code), message: plainText(error.message) },
    delivery,
    model: turn.model,
    usage: turn.usage,
    cost: turn.cost,
    ...time,
    native,
  });
}
