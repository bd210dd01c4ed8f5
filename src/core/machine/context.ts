/** Where a piece of content belongs: in the open turn, under a call of it, or to background work outside any turn. */
import type { SessionMachine } from "../session-machine.ts";

export interface Context {
  turn?: string;
  message?: string;
  parent?: string;
  task?: string;
}

interface Origin {
  parent?: string;
  task?: string;
}

/**
 * Content of a blocking sub-agent (its parent call is open in this turn) is part of the turn. Content of background
 * work carries its task and stays outside. All other content is the turn's own and starts a turn when none is open.
 */
export function contentContext(machine: SessionMachine, origin: Origin): Context {
  const { state } = machine;
  if (origin.parent === undefined && origin.task === undefined) {
    ensureTurn(machine, "output", "The agent went on by itself.");
    takeUpSteered(machine);
    ensureStep(machine);
    return { turn: state.turn?.id, message: state.turn?.message };
  }
  const parent = origin.parent === undefined ? undefined : state.nativeCalls.get(origin.parent);
  const parentCall = parent === undefined ? undefined : state.calls.get(parent);
  if (state.turn && parentCall && !parentCall.settled && parentCall.inTurn) {
    return { turn: state.turn.id, message: state.turn.message, parent };
  }
  const task = taskFor(machine, origin.task, parent);
  return { task, ...(parent !== undefined && { parent }) };
}

/** For things that are worth telling with or without a turn. */
export function looseContext(machine: SessionMachine, origin: Origin): Context {
  if (origin.parent !== undefined || origin.task !== undefined) return contentContext(machine, origin);
  const { turn } = machine.state;
  return turn ? { turn: turn.id, ...(turn.message && { message: turn.message }) } : {};
}

/** An agent-origin turn begins with a system message, so that two assistant messages are never adjacent. */
export function ensureTurn(machine: SessionMachine, cause: string, text: string): void {
  if (machine.state.turn) return;
  const turn = `t${machine.nextSeq}`;
  const system = machine.newMessageId();
  machine.emit({ type: "turn.started", turn, origin: "agent" });
  machine.emit({ type: "message.system", turn, message: system, text, cause });
  machine.emit({ type: "message.started", turn, message: machine.newMessageId(), replyTo: system });
}

/** A steered prompt gets its own assistant message at the first moment with no open call or ask. */
export function takeUpSteered(machine: SessionMachine): void {
  const { turn } = machine.state;
  const last = turn?.steered.at(-1);
  if (!turn || last === undefined || hasOpenWork(machine)) return;
  closeParts(machine);
  closeStep(machine);
  machine.emit({ type: "message.started", turn: turn.id, message: machine.newMessageId(), replyTo: last });
}

/** Where an agent shows no steps, a turn has one. */
export function ensureStep(machine: SessionMachine): void {
  const { turn } = machine.state;
  if (!turn || turn.step !== undefined) return;
  machine.emit({
    type: "step.started",
    turn: turn.id,
    ...(turn.message && { message: turn.message }),
    step: turn.steps + 1,
  });
}

export function closeStep(machine: SessionMachine): void {
  const { turn } = machine.state;
  if (turn?.step === undefined) return;
  machine.emit({
    type: "step.ended",
    turn: turn.id,
    ...(turn.message && { message: turn.message }),
    step: turn.step,
  });
}

/** Whether a call or an ask of the turn is still open. */
export function hasOpenWork(machine: SessionMachine): boolean {
  for (const call of machine.state.calls.values()) if (call.inTurn && !call.settled) return true;
  for (const ask of machine.state.asks.values()) if (ask.opened.turn !== undefined) return true;
  return false;
}

/** Ends the open parts of the turn. */
export function closeParts(machine: SessionMachine): void {
  const { parts } = machine.state;
  for (const [part, open] of [...parts]) {
    if (open.inTurn) machine.emit({ type: `${open.kind}.end`, ...partContext(machine, open), part });
  }
}

/** The context of something already open, from what was noted when it opened. */
export function partContext(
  machine: SessionMachine,
  open: { inTurn: boolean; parent?: string; task?: string },
): Context {
  const { turn } = machine.state;
  return {
    ...(open.inTurn && turn && { turn: turn.id, message: turn.message }),
    ...(open.parent !== undefined && { parent: open.parent }),
    ...(open.task !== undefined && { task: open.task }),
  };
}

/** Our id of a task; work that was never announced gets one. */
export function taskFor(machine: SessionMachine, native: string | undefined, call?: string): string {
  const { state } = machine;
  const known = native === undefined ? undefined : state.nativeTasks.get(native);
  if (known !== undefined) return known;
  if (call !== undefined) {
    for (const [task, open] of state.tasks) if (open.call === call) return task;
  }
  const task = `k${machine.nextSeq}`;
  machine.emit({
    type: "task.started",
    task,
    title: "background work",
    ...(native !== undefined && { native }),
    ...(call !== undefined && { call }),
  });
  return task;
}
