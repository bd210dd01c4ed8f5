/**
 * How much may be open at once. What is kept in memory and in each snapshot is what is open, so an agent that opens and
 * never closes must not decide how much that is: beyond the limit the oldest is closed, as at the end of a turn.
 */
import type { SessionMachine } from "../session-machine.ts";
import { closeTask } from "./close-task.ts";
import { closeAsksAbout, isSettled } from "./close-turn.ts";
import { partContext } from "./open-content.ts";

export const MAX_OPEN = { parts: 1000, calls: 1000, tasks: 1000, asks: 100 };

export function limitOpenParts(machine: SessionMachine): void {
  const { parts } = machine.state;
  if (parts.size < MAX_OPEN.parts) return;
  const [part, open] = parts.entries().next().value!;
  machine.emit({ type: `${open.kind}.end`, ...partContext(machine, open), part });
  tell(machine, "parts");
}

export function limitOpenCalls(machine: SessionMachine): void {
  const { calls } = machine.state;
  if (calls.size < MAX_OPEN.calls) return;
  // The map also holds settled calls, but only a few, which are forgotten by themselves.
  const running = [...calls].filter(([, known]) => !known.settled);
  const [oldest] = running;
  if (!oldest || running.length < MAX_OPEN.calls) return;
  const [call, known] = oldest;
  closeAsksAbout(machine, call);
  if (!isSettled(known)) {
    const reason = "too many calls are running";
    machine.emit({ type: "tool.abandoned", ...partContext(machine, known), call, reason });
  }
  tell(machine, "calls");
}

export function limitOpenTasks(machine: SessionMachine): void {
  const { tasks } = machine.state;
  if (tasks.size < MAX_OPEN.tasks) return;
  const reason = "too many tasks are running";
  closeTask(machine, tasks.keys().next().value!, { outcome: "lost", summary: reason }, reason);
  tell(machine, "tasks");
}

/** An ask beyond the limit is not opened: nobody could answer that many. */
export function hasRoomForAsk(machine: SessionMachine): boolean {
  if (machine.state.asks.size < MAX_OPEN.asks) return true;
  tell(machine, "asks");
  return false;
}

/** Once for each kind, as long as the machine lives. */
function tell(machine: SessionMachine, what: keyof typeof MAX_OPEN): void {
  if (machine.full.has(what)) return;
  machine.full.add(what);
  const then = what === "asks" ? "More are not shown" : "The oldest are closed";
  const text = `The agent has more than ${MAX_OPEN[what]} ${what} open. ${then}; the raw records have all of them.`;
  const { turn } = machine.state;
  machine.emit({
    type: "notice",
    level: "warning",
    code: "too-many-open",
    text,
    turn: turn?.id,
    message: turn?.message,
  });
}
