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
  // In a copy each prompt is dispatched as soon as it is accepted.
  "prompt.moved",
  "prompt.held",
  "task.stopping",
];

/** A prompt that may still be dispatched, and its length in the log. */
interface WaitingPrompt {
  readonly accepted: EventOf<"prompt.accepted">;
  readonly length: number;
}

export class KeptEvents {
  #kept: SessionEvent[] = [];
  readonly #turns: ReadonlySet<string>;
  #length = 0;
  readonly #waiting = new Map<string, WaitingPrompt>();
  /** Prompts folded into the turn: until it ends they may be returned. */
  readonly #steered = new Set<string>();
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

  /** The length of all that was kept so far. */
  get length(): number {
    return this.#length;
  }

  /** Takes every event of the log, in order, and how long it is there. */
  add(event: SessionEvent, length: number): void {
    if (event.type === "prompt.accepted") {
      this.#waiting.set(event.message, { accepted: event, length });
      return;
    }
    if (event.type === "prompt.changed") {
      const waiting = this.#waiting.get(event.message);
      if (waiting)
        this.#waiting.set(event.message, { accepted: { ...waiting.accepted, parts: event.parts }, length });
      return;
    }
    if (event.type === "turn.started") this.#turn = event.turn;
    this.#choose(event, length);
    this.#forgetPrompts(event);
  }

  #choose(event: SessionEvent, length: number): void {
    // What comes after a turn belongs to it until the next one begins.
    const isKept = this.#turn !== undefined && this.#turns.has(this.#turn);
    if (event.type === "conversation.rewound") {
      if (this.#known.has(event.before)) this.#keep({ ...event, agentForgot: true }, length);
      return;
    }
    if (!isKept || event.type.startsWith("session.") || LEFT_OUT.includes(event.type)) return;
    if (event.type === "prompt.withdrawn" || !this.#isAboutKnown(event)) return;
    if (event.type === "prompt.dispatched") this.#keepPrompt(event.message);
    if (event.type === "prompt.returned") this.#returned.add(event.message);
    const isList = event.type === "content.discarded" || event.type === "tool.summary";
    if (!isList) return this.#keep(event, length);
    const known = this.#withKnown(event);
    if (known) this.#keep(known, length);
  }

  /** Prompts that are not dispatched any more, or not again. */
  #forgetPrompts(event: SessionEvent): void {
    if (event.type === "prompt.withdrawn") this.#waiting.delete(event.message);
    if (event.type === "prompt.returned") this.#steered.delete(event.message);
    if (event.type === "prompt.dispatched") {
      if (event.steered) this.#steered.add(event.message);
      else this.#waiting.delete(event.message);
    }
    if (event.type !== "turn.ended") return;
    for (const message of this.#steered) this.#waiting.delete(message);
    this.#steered.clear();
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
    const waiting = this.#waiting.get(message);
    this.#known.add(message);
    if (!this.#returned.delete(message) && waiting) this.#keep(waiting.accepted, waiting.length);
  }

  #keep(event: SessionEvent, length: number): void {
    for (const id of openedBy(event)) this.#known.add(id);
    this.#length += length;
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
