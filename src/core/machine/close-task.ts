/** The end of background work: what is open in it ends first. */
import type { EventOf } from "../event.ts";
import type { SessionMachine } from "../session-machine.ts";
import { closeAsk, closeAsksAbout, isSettled } from "./close-turn.ts";
import { partContext } from "./open-content.ts";

type TaskEnd = Pick<EventOf<"task.ended">, "outcome" | "summary" | "output">;

export function closeTask(machine: SessionMachine, task: string, end: TaskEnd, reason: string): void {
  const { state } = machine;
  for (const [ask, { opened }] of [...state.asks]) {
    if (opened.task === task) closeAsk(machine, ask, "cancelled", false);
  }
  for (const [part, open] of [...state.parts]) {
    if (open.task === task) machine.emit({ type: `${open.kind}.end`, ...partContext(machine, open), part });
  }
  for (const [call, known] of [...state.calls]) {
    if (known.task !== task || known.settled) continue;
    closeAsksAbout(machine, call);
    if (!isSettled(known))
      machine.emit({ type: "tool.abandoned", ...partContext(machine, known), call, reason });
  }
  machine.emit({ type: "task.ended", task, ...end });
}

/** No agent reports the end of an implicit task, so it ends when the next turn begins. */
export function endImplicitTasks(machine: SessionMachine): void {
  for (const [task, { implicit }] of [...machine.state.tasks]) {
    if (implicit) closeTask(machine, task, { outcome: "completed" }, "nothing more was heard of it");
  }
}
