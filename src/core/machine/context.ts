/** Where a piece of content belongs: in the open turn, under a call of it, or to background work outside any turn. */
import type { SessionMachine } from "../session-machine.ts";
import { endImplicitTasks } from "./close-task.ts";
import { limitOpenTasks } from "./limit-open-content.ts";
import { type Context, ensureStep, takeUpSteered } from "./open-content.ts";

interface Origin {
  parent?: string;
  task?: string;
}

/**
 * Content under a call of this turn is part of the turn, unless the call went on as a task. Content of background
 * work carries its task and stays outside. All other content is the turn's own and starts a turn when none is open.
 */
export function contentContext(machine: SessionMachine, origin: Origin): Context {
  const { state } = machine;
  if (origin.parent === undefined && origin.task === undefined) {
    ensureTurn(machine, "output", "The agent went on by itself.");
    // If an agent reports neither when it takes up a prompt nor where steps begin, new content is the best sign.
    if (machine.steeringTaken !== undefined || !(machine.showsSteps || machine.saysTaken))
      takeUpSteered(machine);
    ensureStep(machine);
    return { turn: state.turn?.id, message: state.turn?.message };
  }
  const parent = origin.parent === undefined ? undefined : state.nativeCalls.get(origin.parent);
  if (parent !== undefined && isOfThisMessage(machine, parent)) {
    ensureStep(machine);
    return { turn: state.turn?.id, message: state.turn?.message, parent };
  }
  const native = nativeTask(machine, origin);
  const task = knownTask(machine, native, parent) ?? startTask(machine, native, parent);
  // Late work still belongs to the message whose call started it.
  const message = state.calls.get(parent ?? state.tasks.get(task)?.call ?? "")?.message;
  return { message, task, parent };
}

/** The agent's id of the task a piece of content belongs to; all content under one unknown call belongs together. */
export function nativeTask(machine: SessionMachine, { parent, task }: Origin): string | undefined {
  if (task !== undefined || parent === undefined || machine.state.nativeCalls.has(parent)) return task;
  return `under ${parent}`;
}

/** For events that may stand inside or outside a turn. */
export function optionalContext(machine: SessionMachine, origin: Origin): Context {
  const { state } = machine;
  const parent = origin.parent === undefined ? undefined : state.nativeCalls.get(origin.parent);
  const task = knownTask(machine, origin.task, parent);
  const inTurn =
    state.turn && task === undefined && (parent === undefined || isOfThisMessage(machine, parent));
  return {
    ...(inTurn && { turn: state.turn?.id, message: state.turn?.message }),
    parent,
    task,
  };
}

function isOfThisMessage(machine: SessionMachine, call: string): boolean {
  const { turn, calls } = machine.state;
  const known = calls.get(call);
  return (
    turn !== undefined && known !== undefined && known.message === turn.message && known.settled !== "running"
  );
}

/** An agent-origin turn begins with a system message, so that two assistant messages are never adjacent. */
export function ensureTurn(machine: SessionMachine, cause: string, text: string, task?: string): void {
  if (machine.state.turn) return;
  endImplicitTasks(machine);
  const turn = `t${machine.nextSeq}`;
  const system = machine.newMessageId();
  machine.emit({ type: "turn.started", turn, origin: "agent" });
  machine.emit({ type: "message.system", turn, message: system, text, cause, task });
  machine.startMessage(turn, system);
}

/** Our id of a task that is running, by the agent's id of it or by the call that started it. */
export function knownTask(
  machine: SessionMachine,
  native: string | undefined,
  call?: string,
): string | undefined {
  const known = native === undefined ? undefined : machine.state.nativeTasks.get(native);
  if (known !== undefined && machine.state.tasks.has(known)) return known;
  if (call === undefined) return undefined;
  for (const [task, open] of machine.state.tasks) if (open.call === call) return task;
  return undefined;
}

/** Work that was never announced gets a task of its own. */
export function startTask(machine: SessionMachine, native: string | undefined, call?: string): string {
  limitOpenTasks(machine);
  const task = `k${machine.nextSeq}`;
  machine.emit({ type: "task.started", task, title: "background work", kind: "implicit", native, call });
  return task;
}
