/** Writes kept events of one log into the log of a new session, and closes what does not go on there. */
import type { SessionEvent } from "./event.ts";
import type { NativePlace } from "./fork-fields.ts";
import { RenamedIds } from "./rename-ids.ts";
import type { SessionMachine } from "./session-machine.ts";

export class EventCopier {
  readonly #ids = new RenamedIds();

  /** Takes all kept events in order, as many at a time as the caller likes. */
  copy(machine: SessionMachine, events: readonly SessionEvent[]): void {
    for (const event of events) machine.emit(this.#ids.rename(event, machine.nextSeq), event.at);
  }

  /**
   * What went on beyond the last kept turn does not go on here. The last event says that the agent has nothing of it yet,
   * and is the first one in the log that does: all before it was copied.
   */
  finish(machine: SessionMachine, continues?: NativePlace): void {
    for (const { message } of [...machine.state.queue]) machine.emit({ type: "prompt.withdrawn", message });
    machine.detach("closed");
    machine.emit({ type: "session.updated", agentMemory: "none", continues });
  }
}

/** Where the copied part of a log ends: the seq of its last event; 0 in a log that is no copy. */
export function endOfCopy(log: Iterable<SessionEvent>): number {
  for (const event of log) {
    if (event.type === "session.created" && !event.forkedFrom) return 0;
    if (event.type === "session.updated" && event.agentMemory !== undefined) return event.seq;
  }
  return 0;
}
