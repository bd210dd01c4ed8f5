/**
 * A log made ready to be compared with a replay of its raw records: ids are replaced by their order, times are left
 * out, and so is what no raw record tells. The whole list of that is in this file and in compare-logs.ts, and in words
 * in docs/guides/recordings.md.
 */
import { endOfCopy } from "../../core/copy-events.ts";
import type { EventOf, EventType, SessionEvent } from "../../core/event.ts";
import { promptText } from "../../core/prompt-part.ts";
import { withoutPreface } from "../../core/prompt-preface.ts";
import { withoutLocationNote } from "../../core/proposed-change.ts";
import { withContextAsText } from "../transport/context-text.ts";

export interface ComparableEvent {
  readonly event: SessionEvent;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** The events in groups: within one their order is compared, between two it is not. */
export type ComparableLog = ReadonlyMap<string, readonly ComparableEvent[]>;

export interface ComparableOptions {
  /** The numbers of the records that went to the agent: what is made of them may be known already when they are sent. */
  readonly sent?: ReadonlySet<number>;
  /** The numbers of the records of starts that failed. A turn that ends with one never reached an agent. */
  readonly failedStarts?: ReadonlySet<number>;
}

/** What people did before the agent heard of it, or instead. */
const UNTOLD: ReadonlySet<EventType> = new Set([
  "session.created",
  "session.closed",
  "session.forked",
  "prompt.changed",
  "prompt.moved",
  "prompt.held",
  "prompt.withdrawn",
  "turn.stopping",
  "task.stopping",
  "checkpoint.created",
  "restore.started",
  "checkpoint.restored",
]);

/** What the engine makes by itself; the agent's own name the record they came from. */
const UNTOLD_WITHOUT_RECORD: ReadonlySet<EventType> = new Set([
  "session.attached",
  "session.updated",
  "notice",
  "prompt.returned",
  // What a checkpoint found; the agent's own name their record.
  "file.edited",
]);

/**
 * What people did stands in the log before the line to the agent, and the agent may have spoken in between. So its
 * place among what the agent did is not told; of each such type the order is that of what it is about.
 */
const UNORDERED: Readonly<Partial<Record<EventType, "turn" | "message" | "ask" | "call">>> = {
  "turn.started": "turn",
  "message.started": "message",
  "prompt.accepted": "message",
  "prompt.dispatched": "message",
  "ask.answered": "ask",
  "ask.closed": "ask",
  "tool.denied": "call",
};

const UNTOLD_FIELDS: ReadonlySet<string> = new Set([
  ...["session", "seq", "at", "durationMs", "waitedMs", "expiresAt", "agent"],
  ...["by", "delivered", "delivery", "whenBusy", "receipt", "raw", "checkpoint", "note"],
]);

/** Ends of turns that only the engine knows the reason of: the agent was gone, or had to go. */
export const ENDED_BY_ENGINE: readonly (string | undefined)[] = [
  "agent_exited",
  "agent_disconnected",
  "daemon_restarted",
  "node_lost",
  "node_draining",
  "stopped_by_force",
];

export function toComparableLog(
  whole: readonly SessionEvent[],
  { sent, failedStarts }: ComparableOptions = {},
): ComparableLog {
  // The agent of a copy never said what was copied.
  const copied = endOfCopy(whole);
  const own = copied === 0 ? whole : whole.filter(({ seq }) => seq > copied);
  const untoldRewinds = findUntoldRewinds(own);
  const log = untoldRewinds.size === 0 ? own : withNewPrompts(own, untoldRewinds);
  const unsent = unsentTurns(log, failedStarts);
  const told = log.filter(
    (event) => isTold(event, sent) && !unsent.has(event.turn ?? "") && !untoldRewinds.has(event.seq),
  );
  const names = new Names(told);
  const groups = new Map<string, ComparableEvent[]>();
  for (const event of withPrompts(told, log)) {
    const fields = names.apply(event);
    const group = groupOf(event, fields);
    const entry = { event, fields };
    const entries = groups.get(group);
    if (entries) entries.push(entry);
    else groups.set(group, [entry]);
  }
  for (const [type, about] of Object.entries(UNORDERED)) {
    const order = ({ fields }: ComparableEvent) => Number(String(fields[about]).split(" ")[1]);
    groups.get(type)?.sort((a, b) => order(a) - order(b));
  }
  return groups;
}

/** A turn that an agent begins by itself has its place among what the agent did, with its message. */
function groupOf(event: SessionEvent, fields: ComparableEvent["fields"]): string {
  if (UNORDERED[event.type] === undefined) return "agent";
  if (event.type === "turn.started" && event.origin !== "user") return "agent";
  if (event.type === "message.started" && !isPrompt(fields.replyTo)) return "agent";
  return event.type;
}

function isPrompt(name: unknown): boolean {
  return String(name).startsWith("prompt ");
}

function isTold(event: SessionEvent, sent: ReadonlySet<number> | undefined): boolean {
  if (UNTOLD.has(event.type)) return false;
  if (event.type === "conversation.rewound") return event.agentForgot;
  if (event.type === "session.updated" && !tellsMoreThanSettings(event)) return false;
  if (UNTOLD_WITHOUT_RECORD.has(event.type)) return event.raw !== undefined && !sent?.has(event.raw);
  return true;
}

/** What a client may change, too. Whether the agent's word of it is news depends on what the engine had written by then. */
export const SETTINGS: readonly string[] = [
  ...["model", "mode", "permissionMode", "settings"],
  ...["requested", "chosen", "overridden"],
];

function tellsMoreThanSettings(event: EventOf<"session.updated">): boolean {
  return Object.keys(event).some(
    (field) => field !== "type" && !UNTOLD_FIELDS.has(field) && !SETTINGS.includes(field),
  );
}

/**
 * Rewinds that no record tells of, by their seq: the next agent begins where they end, or they are to before a message that
 * was copied.
 */
function findUntoldRewinds(log: readonly SessionEvent[]): ReadonlySet<number> {
  const prompts = new Set<string>();
  const found = new Set<number>();
  for (const [place, event] of log.entries()) {
    if (event.type === "prompt.dispatched") prompts.add(event.message);
    if (event.type !== "conversation.rewound") continue;
    const next = log[place + 1];
    const isByStart = next?.type === "session.updated" && next.agentMemory !== undefined;
    if (isByStart || !prompts.has(event.before)) found.add(event.seq);
  }
  return found;
}

/** A prompt that comes again under its id after such a rewind is a new one to the agent. */
function withNewPrompts(log: readonly SessionEvent[], rewinds: ReadonlySet<number>): SessionEvent[] {
  const sent = new Set<string>();
  const taken = new Set<string>();
  const names = new Map<string, string>();
  const rename = (id: unknown) => names.get(id as string) ?? id;
  return log.map((event) => {
    if (rewinds.has(event.seq)) for (const id of sent) taken.add(id);
    if (event.type === "prompt.accepted" && taken.delete(event.message))
      names.set(event.message, `${event.message} ${event.seq}`);
    if (event.type === "prompt.dispatched") sent.add(event.message);
    if (names.size === 0 || event.type === "ask.answered") return event;
    const { message, replyTo } = event as { message?: string; replyTo?: string };
    return {
      ...event,
      ...(message !== undefined && { message: rename(message) }),
      ...(replyTo !== undefined && { replyTo: rename(replyTo) }),
    } as SessionEvent;
  });
}

/** Turns that never reached an agent, because it could not be started or its start was stopped. */
function unsentTurns(
  log: readonly SessionEvent[],
  failedStarts: ReadonlySet<number> = new Set(),
): ReadonlySet<string> {
  const silent = new Set<string>();
  for (const event of log) {
    if (event.turn === undefined) continue;
    if (event.type === "turn.started") silent.add(event.turn);
    const isOfAgent = event.type === "turn.ended" && ENDED_BY_ENGINE.includes(event.error?.code);
    const isSaid = event.raw !== undefined && !failedStarts.has(event.raw);
    if (isSaid || isOfAgent) silent.delete(event.turn);
  }
  // One that has not ended may still be heard of.
  const last = log.findLast(({ type }) => type === "turn.started" || type === "turn.ended");
  if (last?.type === "turn.started") silent.delete(last.turn);
  return silent;
}

/** Prompts are compared as they were when they were sent, and only if they were. */
function withPrompts(told: readonly SessionEvent[], log: readonly SessionEvent[]): SessionEvent[] {
  const parts = new Map<string, EventOf<"prompt.accepted">["parts"]>();
  for (const event of log) {
    if (event.type === "prompt.accepted" || event.type === "prompt.changed")
      parts.set(event.message, event.parts);
  }
  const sent = new Set(told.flatMap((event) => (event.type === "prompt.dispatched" ? [event.message] : [])));
  return told.flatMap((event): SessionEvent[] => {
    if (event.type !== "prompt.accepted") return [event];
    // Its settings went to the agent before it, if they were not in force already.
    const prompt = { ...event, settings: undefined, parts: parts.get(event.message) ?? [] };
    return sent.has(event.message) ? [prompt] : [];
  });
}

/** Gives ids by the order in which things begin. */
class Names {
  /** Clients choose the ids of prompts, so they may look like any other id. */
  readonly #messages = new Map<string, string>();
  readonly #things = new Map<string, string>();
  readonly #counts = new Map<string, number>();

  constructor(log: readonly SessionEvent[]) {
    for (const event of log) this.#define(event);
  }

  apply(event: SessionEvent): Record<string, unknown> {
    const named = Object.entries(event).flatMap(([field, value]) => {
      if (UNTOLD_FIELDS.has(field) || value === undefined) return [];
      const named = this.#name(event.type, field, value);
      return named === undefined ? [] : [[field, named]];
    });
    return Object.fromEntries(named);
  }

  #define(event: SessionEvent): void {
    switch (event.type) {
      case "turn.started":
        return this.#give(this.#things, "turn", event.turn);
      case "prompt.dispatched":
        return this.#give(this.#messages, "prompt", event.message);
      case "message.started":
      case "message.system":
        return this.#give(this.#messages, "message", event.message);
      case "text.start":
      case "reasoning.start":
        return this.#give(this.#things, "part", event.part);
      case "tool.start":
        return this.#give(this.#things, "call", event.call);
      case "task.started":
        return this.#give(this.#things, "task", event.task);
      case "ask.opened":
        return this.#give(this.#things, "ask", event.ask);
    }
  }

  /** A prompt that is dispatched again keeps its name. */
  #give(names: Map<string, string>, kind: string, id: string): void {
    if (names.has(id)) return;
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    names.set(id, `${kind} ${count}`);
  }

  #name(type: EventType, field: string, value: unknown): unknown {
    switch (field) {
      case "message":
        // In an answer it is what the person said.
        return type === "ask.answered" ? value : this.#messages.get(value as string);
      case "replyTo":
      case "before":
        return this.#messages.get(value as string);
      case "turn":
      case "part":
      case "call":
      case "task":
      case "ask":
      case "parent":
        return this.#things.get(value as string);
      case "calls":
        return (value as string[]).map((id) => this.#things.get(id));
      case "changes":
        // Where an edit stands was read from its file.
        return [...new Set((value as { path: string }[]).map(({ path }) => path))];
      case "diff":
        return type === "file.edited" ? undefined : value;
      case "description":
        return withoutLocationNote(value as string);
      case "parts":
        if (type === "content.discarded") return (value as string[]).map((id) => this.#things.get(id));
        return sentParts(value as EventOf<"prompt.accepted">["parts"]);
      default:
        return value;
    }
  }
}

/**
 * Agents take the text of a prompt as one, and its files beside it. A context is text to most. An account of the
 * conversation so far and a note on files that went back are no part of the prompt.
 */
function sentParts(given: EventOf<"prompt.accepted">["parts"]): unknown {
  const parts = withContextAsText(given);
  const text = withoutPreface(promptText(parts));
  return { text, files: parts.filter(({ type }) => type === "file") };
}
