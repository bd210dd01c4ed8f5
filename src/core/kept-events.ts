/**
 * Chooses of a log what a copy of its conversation keeps: the events of the kept turns, what tasks of them said later, and
 * their prompts. Nothing of agents, settings and files. Pure.
 */
import type { EventOf, SessionEvent } from "./event.ts";

/** What is about the session, its agent or its files, and not about the conversation. */
const LEFT_OUT: readonly string[] = [
  "checkpoint.created",
  "restore.started",
  "checkpoint.restored",
  "auth.status",
  "agent.unknown",
  // The agent's own names for prompts mean nothing in a copy.
  "prompt.received",
];

type Accepted = EventOf<"prompt.accepted">;

export class KeptEvents {
  #kept: SessionEvent[] = [];
  readonly #turns: ReadonlySet<string>;
  readonly #waiting = new Map<string, Accepted>();
  /** Messages, tasks, calls, parts and asks of the copy. */
  readonly #known = new Set<string>();
  /** Prompts that wait in the copy, because they were returned. */
  readonly #returned = new Set<string>();
  #turn: string | undefined;

  /** `turns` are kept. */
  constructor(turns: ReadonlySet<string>) {
    this.#turns = turns;
  }

  /** What was kept since the last call. */
  take(): SessionEvent[] {
    const kept = this.#kept;
    this.#kept = [];
    return kept;
  }

  /** Takes every event of the log, in order. */
  add(event: SessionEvent): void {
    if (event.type === "turn.started") this.#turn = event.turn;
    if (event.type === "prompt.accepted") {
      this.#waiting.set(event.message, event);
      return;
    }
    if (event.type === "prompt.changed") {
      const accepted = this.#waiting.get(event.message);
      if (accepted) this.#waiting.set(event.message, { ...accepted, parts: event.parts });
      return;
    }
    // What comes after a turn belongs to it until the next one begins.
    const isKept = this.#turn !== undefined && this.#turns.has(this.#turn);
    if (event.type === "conversation.rewound") {
      if (this.#known.has(event.before)) this.#keep({ ...event, agentForgot: true });
      return;
    }
    if (!isKept || event.type.startsWith("session.") || LEFT_OUT.includes(event.type)) return;
    if (event.type === "prompt.withdrawn" || !this.#isAboutKnown(event)) return;
    if (event.type === "prompt.dispatched") this.#keepPrompt(event.message);
    if (event.type === "prompt.returned") this.#returned.add(event.message);
    const isList = event.type === "content.discarded" || event.type === "tool.summary";
    if (!isList) return this.#keep(event);
    const known = this.#withKnown(event);
    if (known) this.#keep(known);
  }

  /** Without the parts and calls of which the copy does not have the beginning. Undefined if it names no others. */
  #withKnown(event: EventOf<"content.discarded" | "tool.summary">): SessionEvent | undefined {
    const known = (ids: readonly string[]) => ids.filter((id) => this.#known.has(id));
    const calls = known(event.calls);
    if (event.type === "tool.summary") return calls.length > 0 ? { ...event, calls } : undefined;
    const parts = known(event.parts);
    return calls.length + parts.length > 0 ? { ...event, calls, parts } : undefined;
  }

  #keepPrompt(message: string): void {
    const accepted = this.#waiting.get(message);
    this.#known.add(message);
    if (!this.#returned.delete(message) && accepted) this.#keep(accepted);
  }

  #keep(event: SessionEvent): void {
    for (const id of openedBy(event)) this.#known.add(id);
    this.#kept.push(event);
  }

  /** What names a part, a call, an ask or a task of which the copy does not have the beginning is left out. */
  #isAboutKnown(event: SessionEvent): boolean {
    const references = referencesOf(event);
    if (event.turn === undefined) {
      const isNew = event.type === "task.started" || event.type === "message.system";
      return isNew || (references.length > 0 && references.every((id) => this.#known.has(id)));
    }
    return !CONTENT.test(event.type) || references.every((id) => this.#known.has(id));
  }
}

const CONTENT = /^(text|reasoning|tool|ask|task|file|source)(\.|$)/;

type Fields = Readonly<Partial<Record<"part" | "call" | "ask" | "task" | "parent", string>>>;

/** Ids of parts, calls, asks and tasks do not collide: each kind has its letter. */
function openedBy(event: SessionEvent): string[] {
  const { part, call, ask, task } = event as Fields;
  const opened: Partial<Record<SessionEvent["type"], string | undefined>> = {
    "text.start": part,
    "reasoning.start": part,
    "tool.start": call,
    "ask.opened": ask,
    "task.started": task,
  };
  const message = event.type.startsWith("message.") ? event.message : undefined;
  return [opened[event.type], message].filter((id) => id !== undefined);
}

function referencesOf(event: SessionEvent): string[] {
  const { part, call, ask, task, parent } = event as Fields;
  const own = new Set(openedBy(event));
  return [part, call, ask, task, parent].filter((id) => id !== undefined && !own.has(id)) as string[];
}
