/** Writes kept events of one log into the log of a new session, and closes what does not go on there. */
import type { SessionEvent } from "./event.ts";
import { RenamedIds } from "./rename-ids.ts";
import type { SessionMachine } from "./session-machine.ts";

export function copyEvents(machine: SessionMachine, events: readonly SessionEvent[]): void {
  const ids = new RenamedIds();
  for (const event of events) machine.emit(ids.rename(event, machine.nextSeq), event.at);
  // What went on beyond the last kept turn does not go on here.
  for (const { message } of [...machine.state.queue]) machine.emit({ type: "prompt.withdrawn", message });
  machine.detach("closed");
  machine.emit({ type: "session.updated", agentMemory: "none" });
}
