/** What is open in a turn: its parts, its step, and prompts that were folded into it. Where content belongs is in context.ts. */
import type { SessionMachine } from "../session-machine.ts";

export interface Context {
  turn?: string;
  message?: string;
  parent?: string;
  task?: string;
}

/** A steered prompt gets its own assistant message at the first moment with no open call or ask. */
export function takeUpSteered(machine: SessionMachine): void {
  const { turn } = machine.state;
  const prompt = machine.steeringTaken ?? turn?.steered.at(-1)?.message;
  if (!turn || prompt === undefined || hasOpenWork(machine)) return;
  machine.steeringTaken = undefined;
  closeParts(machine);
  closeStep(machine);
  if (machine.state.lastRole === "assistant") {
    const text = "The agent took up the next prompt.";
    machine.emit({
      type: "message.system",
      turn: turn.id,
      message: machine.newMessageId(),
      text,
      cause: "steer",
    });
  }
  machine.startMessage(turn.id, prompt);
}

/** If an agent shows no steps, a turn has one. */
export function ensureStep(machine: SessionMachine): void {
  const { turn } = machine.state;
  if (!turn || turn.step !== undefined) return;
  machine.emit({ type: "step.started", turn: turn.id, message: turn.message, step: turn.steps + 1 });
}

export function closeStep(machine: SessionMachine, reason = machine.stepReason): void {
  const { turn } = machine.state;
  machine.stepReason = undefined;
  if (turn?.step === undefined) return;
  machine.emit({ type: "step.ended", turn: turn.id, message: turn.message, step: turn.step, reason });
}

/** Whether a call or an ask of the turn is still open. */
export function hasOpenWork(machine: SessionMachine): boolean {
  for (const call of machine.state.calls.values()) if (call.inTurn && !call.settled) return true;
  for (const ask of machine.state.asks.values()) if (ask.opened.turn !== undefined) return true;
  return false;
}

/** Ends the open parts of the turn. */
export function closeParts(machine: SessionMachine): void {
  for (const [part, open] of [...machine.state.parts]) {
    if (open.inTurn) machine.emit({ type: `${open.kind}.end`, ...partContext(machine, open), part });
  }
}

/** The context in which something was opened. */
export function partContext(
  machine: SessionMachine,
  open: { inTurn: boolean; message?: string; parent?: string; task?: string },
): Context {
  const { inTurn, message, parent, task } = open;
  return { turn: inTurn ? machine.state.turn?.id : undefined, message, parent, task };
}
