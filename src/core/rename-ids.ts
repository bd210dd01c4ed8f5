/**
 * Gives the events of one log the ids they would have had in another: those of turns, parts, calls, asks and tasks come from
 * the seq of the event that opens them. Messages keep theirs. Pure.
 */
import type { EventBody, SessionEvent } from "./event.ts";

const OPENING: Partial<Record<SessionEvent["type"], string>> = {
  "turn.started": "turn",
  "text.start": "part",
  "reasoning.start": "part",
  "tool.start": "call",
  "ask.opened": "ask",
  "task.started": "task",
};

const SINGLE = ["turn", "part", "call", "ask", "task", "parent"] as const;
const LISTS = ["parts", "calls"] as const;

export class RenamedIds {
  readonly #names = new Map<string, string>();

  /** The event without its place, its raw record and the agent's own ids. `seq` is where it will stand. */
  rename(event: SessionEvent, seq: number): EventBody {
    const { session: _session, seq: _seq, at: _at, raw: _raw, ...body } = event;
    const renamed = body as Record<string, unknown>;
    delete renamed.native;
    if (event.type === "prompt.dispatched") delete renamed.checkpoint;
    if (event.type === "prompt.accepted" && event.continuesTurn !== undefined)
      renamed.continuesTurn = this.#names.get(event.continuesTurn);
    const field = OPENING[event.type];
    const opened = field === undefined ? undefined : renamed[field];
    // The letter says what it is an id of.
    if (typeof opened === "string") this.#names.set(opened, `${opened[0]}${seq}`);
    for (const name of SINGLE) {
      const id = renamed[name];
      if (typeof id === "string") renamed[name] = this.#names.get(id) ?? id;
    }
    // The parts of a prompt are its content.
    if (event.type === "content.discarded" || event.type === "tool.summary")
      for (const name of LISTS) {
        const ids = renamed[name];
        if (Array.isArray(ids)) renamed[name] = ids.map((id: string) => this.#names.get(id) ?? id);
      }
    return renamed as EventBody;
  }
}
